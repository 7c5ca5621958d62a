import {
  type AppContext,
  createAccount,
  hashNewPassword,
  hashPassword,
  operatorRoute,
  rejectIdempotencyKey,
  SCAN_COST,
  setPassword,
} from '@reeve/auth'
import { requireFields } from '@reeve/core'
import { errorResponses, requestObject, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { changeAccount } from './account-change.ts'
import { getAccount, getAccountDetails, listAccounts } from './account-read.ts'
import { getInstanceInfo, type ProgramInfo } from './instance-info.ts'
import {
  AccountDetailResponse,
  AccountRequest,
  AccountResponse,
  AccountsQuery,
  AccountsResponse,
  InstanceResponse,
  NewAccountRequest,
  PasswordResetRequest,
  WorkspacesQuery,
  WorkspacesResponse,
} from './model.ts'
import { listWorkspaces } from './workspace-list.ts'

const EmptyRequest = requestObject({})

/** `/admin/api/{accounts,workspaces,instance}`: for operators. */
export const instance = (app: AppContext, program: ProgramInfo) => {
  const { db, ports } = app
  const startedAt = ports.now()

  return new Elysia({ name: 'instance', tags: ['Operator'], normalize: false })
    .use(app.auth)
    .get(
      '/admin/api/accounts',
      async ({ query }) =>
        query.id === undefined ? listAccounts(db.read, query) : getAccountDetails(db.read, query.id),
      {
        permission: { ...operatorRoute, cost: SCAN_COST },
        query: AccountsQuery,
        response: {
          200: Type.Union([AccountsResponse, AccountDetailResponse]),
          ...errorResponses('not_found'),
        },
        detail: { summary: 'List the accounts of the instance, or read one' },
      },
    )
    .post(
      '/admin/api/accounts',
      async ({ actor, requestContext, body }) => {
        const { username, password } = requireFields(body, 'username', 'password')
        const passwordHash = await hashNewPassword(db, { username, password })
        const isOperator = body.isOperator ?? false
        return app.commit(requestContext, async (tx) => {
          const { id } = await createAccount(tx, ports, actor, { username, passwordHash, isOperator })
          return getAccount(tx, id)
        })
      },
      {
        permission: rejectIdempotencyKey(operatorRoute),
        query: EmptyRequest,
        body: NewAccountRequest,
        response: { 200: AccountResponse, ...writeErrorResponses() },
        detail: { summary: 'Create an account' },
      },
    )
    .patch(
      '/admin/api/accounts',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => changeAccount(tx, ports, actor, body)),
      {
        permission: operatorRoute,
        query: EmptyRequest,
        body: AccountRequest,
        response: { 200: AccountResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Change operator access of an account, or disable or enable it' },
      },
    )
    .post(
      '/admin/api/accounts/password',
      async ({ actor, requestContext, body }) => {
        const { id, password } = requireFields(body, 'id', 'password')
        await getAccount(db.read, id)
        const passwordHash = await hashPassword(password)
        return app.commit(requestContext, async (tx) => {
          await setPassword(tx, ports, actor, { accountId: id, passwordHash })
          return getAccount(tx, id)
        })
      },
      {
        permission: rejectIdempotencyKey(operatorRoute),
        query: EmptyRequest,
        body: PasswordResetRequest,
        response: { 200: AccountResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Set a new password for an account and end its sessions' },
      },
    )
    .get('/admin/api/workspaces', async ({ query }) => listWorkspaces(db.read, app, query), {
      permission: { ...operatorRoute, cost: SCAN_COST },
      query: WorkspacesQuery,
      response: { 200: WorkspacesResponse, ...errorResponses() },
      detail: { summary: 'List the workspaces of the instance' },
    })
    .get('/admin/api/instance', async () => getInstanceInfo(db, ports, program, startedAt), {
      permission: operatorRoute,
      query: EmptyRequest,
      response: { 200: InstanceResponse, ...errorResponses() },
      detail: { summary: 'Read the status of the instance' },
    })
}
