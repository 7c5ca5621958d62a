import {
  type AppContext,
  createAccount,
  hashPassword,
  operators,
  setPassword,
  withoutReplay,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, requestObject, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { aboutInstance, type InstanceParts } from './about.ts'
import { changeAccount } from './account-change.ts'
import { getAccount, getAccountInDetail, listAccounts } from './account-read.ts'
import {
  AccountAnswer,
  AccountDetailAnswer,
  AccountRequest,
  AccountsAnswer,
  AccountsQuery,
  InstanceAnswer,
  NewAccountRequest,
  PasswordResetRequest,
  WorkspacesAnswer,
  WorkspacesQuery,
} from './model.ts'
import { listWorkspaces } from './workspace-list.ts'

const NoFields = requestObject({})

/** `/admin/api/{accounts,workspaces,instance}`: for those who run the instance. */
export const instance = (app: AppContext, parts: InstanceParts) => {
  const { db, ports, meter } = app
  const startedAt = ports.now()

  return new Elysia({ name: 'instance', tags: ['Operator'], normalize: false })
    .use(app.auth)
    .get(
      '/admin/api/accounts',
      async ({ query }) =>
        query.id === undefined ? listAccounts(db.read, query) : getAccountInDetail(db.read, query.id),
      {
        permission: operators,
        query: AccountsQuery,
        response: { 200: Type.Union([AccountsAnswer, AccountDetailAnswer]), ...errorResponses('not_found') },
        detail: { summary: 'List the accounts of the instance, or read one' },
      },
    )
    .post(
      '/admin/api/accounts',
      async ({ actor, call, body }) => {
        const once = withoutReplay(call)
        const { username, password } = requireFields(body, 'username', 'password')
        const passwordHash = await hashPassword(password)
        const isOperator = body.isOperator ?? false
        return app.commit(once, async (tx) => {
          const { id } = await createAccount(tx, ports, actor, { username, passwordHash, isOperator })
          return getAccount(tx, id)
        })
      },
      {
        permission: operators,
        query: NoFields,
        body: NewAccountRequest,
        response: { 200: AccountAnswer, ...writeErrorResponses() },
        detail: { summary: 'Create an account' },
      },
    )
    .patch(
      '/admin/api/accounts',
      async ({ actor, call, body }) => app.commit(call, (tx) => changeAccount(tx, ports, actor, body)),
      {
        permission: operators,
        query: NoFields,
        body: AccountRequest,
        response: { 200: AccountAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Make an account an operator or not, disable or enable it' },
      },
    )
    .post(
      '/admin/api/accounts/password',
      async ({ actor, call, body }) => {
        const once = withoutReplay(call)
        const { id, password } = requireFields(body, 'id', 'password')
        await getAccount(db.read, id)
        const passwordHash = await hashPassword(password)
        return app.commit(once, async (tx) => {
          await setPassword(tx, ports, actor, { accountId: id, passwordHash })
          return getAccount(tx, id)
        })
      },
      {
        permission: operators,
        query: NoFields,
        body: PasswordResetRequest,
        response: { 200: AccountAnswer, ...writeErrorResponses('not_found') },
        detail: { summary: 'Give an account another password; its sessions end' },
      },
    )
    .get('/admin/api/workspaces', async ({ query }) => listWorkspaces(db.read, meter, query), {
      permission: operators,
      query: WorkspacesQuery,
      response: { 200: WorkspacesAnswer, ...errorResponses() },
      detail: { summary: 'List the workspaces of the instance' },
    })
    .get('/admin/api/instance', async () => aboutInstance(db, ports, parts, startedAt), {
      permission: operators,
      query: NoFields,
      response: { 200: InstanceAnswer, ...errorResponses() },
      detail: { summary: 'Read how the instance is' },
    })
}
