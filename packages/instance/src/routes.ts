import {
  type AppContext,
  CreatorKeysResponse,
  type CreatorWebhooks,
  CreatorWebhooksResponse,
  createAccount,
  createPasswordLink,
  operatorRoute,
  operatorWriteRoute,
  readAllCreatorKeys,
  readAllCreatorWebhooks,
  rejectIdempotencyKey,
  resetSecondFactors,
  SCAN_COST,
} from '@reeve/auth'
import { type Actor, AppError, OWNER_RANK, permissions, requireFields } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { errorResponses, requestObject, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { changeAccount } from './account-change.ts'
import { endAccountCreations } from './account-creations.ts'
import { deleteAccount } from './account-delete.ts'
import { getAccount, getAccountDetails, listAccounts, requireAccount } from './account-read.ts'
import { getInstanceInfo, type ProgramInfo } from './instance-info.ts'
import {
  AccountCreationsQuery,
  AccountDetailResponse,
  AccountRequest,
  AccountResponse,
  AccountsQuery,
  AccountsResponse,
  AccountWithLinkResponse,
  DeleteAccountQuery,
  DeletedAccountResponse,
  FactorResetRequest,
  InstanceResponse,
  NewAccountRequest,
  PasswordLinkRequest,
  WorkspacesQuery,
  WorkspacesResponse,
} from './model.ts'
import { listWorkspaces } from './workspace-list.ts'

const EmptyRequest = requestObject({})

/** Removes an account from the workspace of the actor. */
export type RemoveMember = (tx: Transaction, actor: Actor, accountId: string) => Promise<unknown>

/** `/admin/api/{accounts,workspaces,instance}`: for operators. */
export const instance = (
  app: AppContext,
  program: ProgramInfo,
  removeMember: RemoveMember,
  creatorWebhooks: CreatorWebhooks,
) => {
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
        const { username } = requireFields(body, 'username')
        const isOperator = body.isOperator ?? false
        return app.commit(requestContext, async (tx) => {
          const { id } = await createAccount(tx, ports, actor, { username, passwordHash: null, isOperator })
          const link = await createPasswordLink(tx, ports, actor, id)
          return { ...(await getAccount(tx, id)), link }
        })
      },
      {
        permission: rejectIdempotencyKey(operatorWriteRoute),
        query: EmptyRequest,
        body: NewAccountRequest,
        response: { 200: AccountWithLinkResponse, ...writeErrorResponses() },
        detail: { summary: 'Create an account, with a link with which its owner sets a password' },
      },
    )
    .patch(
      '/admin/api/accounts',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, async (tx) => {
          const changed = await changeAccount(tx, ports, actor, body)
          await endAccountCreations(tx, ports, actor, creatorWebhooks.pause, changed.account.id, body)
          return changed
        }),
      {
        permission: operatorWriteRoute,
        query: EmptyRequest,
        body: AccountRequest,
        response: { 200: AccountResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Change operator access of an account, or disable or enable it' },
      },
    )
    .delete(
      '/admin/api/accounts',
      async ({ actor, requestContext, query }) => {
        const { id } = requireFields(query, 'id')
        if (id === actor.id) {
          throw new AppError('conflict', { message: 'Delete your own account under Your account.' })
        }
        return app.commit(requestContext, async (tx) => {
          // Deleting an account ends its memberships, whatever rank they have.
          const remover = { ...actor, rank: OWNER_RANK, permissions: new Set(permissions) }
          await deleteAccount(tx, ports, actor, id, query, {
            removeFromWorkspace: (workspaceId) => removeMember(tx, { ...remover, workspaceId }, id),
            pauseWebhooks: creatorWebhooks.pause,
          })
          return { id }
        })
      },
      {
        permission: operatorWriteRoute,
        query: DeleteAccountQuery,
        response: { 200: DeletedAccountResponse, ...writeErrorResponses('not_found') },
        detail: {
          summary: 'Delete an account; its records and audit entries stay, under its name',
        },
      },
    )
    .get(
      '/admin/api/accounts/keys',
      async ({ query }) => {
        await app.flushKeyUsage()
        const { id } = requireFields(query, 'id')
        await getAccount(db.read, id)
        return readAllCreatorKeys(db.read, ports, id)
      },
      {
        permission: operatorRoute,
        query: AccountCreationsQuery,
        response: { 200: CreatorKeysResponse, ...errorResponses('not_found') },
        detail: { summary: 'List the API keys that an account created and that still work' },
      },
    )
    .get(
      '/admin/api/accounts/webhooks',
      async ({ query }) => {
        const { id } = requireFields(query, 'id')
        await getAccount(db.read, id)
        return readAllCreatorWebhooks(db.read, creatorWebhooks, id)
      },
      {
        permission: operatorRoute,
        query: AccountCreationsQuery,
        response: { 200: CreatorWebhooksResponse, ...errorResponses('not_found') },
        detail: { summary: 'List the active webhooks that an account or its API keys created' },
      },
    )
    .post(
      '/admin/api/accounts/link',
      async ({ actor, requestContext, body }) => {
        const { id } = requireFields(body, 'id')
        return app.commit(requestContext, async (tx) => {
          const link = await createPasswordLink(tx, ports, actor, id)
          return { ...(await getAccount(tx, id)), link }
        })
      },
      {
        permission: rejectIdempotencyKey(operatorWriteRoute),
        query: EmptyRequest,
        body: PasswordLinkRequest,
        response: { 200: AccountWithLinkResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Create a link with which the owner of an account sets a new password' },
      },
    )
    .post(
      '/admin/api/accounts/factors/reset',
      async ({ actor, requestContext, body }) => {
        const { id } = requireFields(body, 'id')
        if (id === actor.id) {
          throw new AppError('conflict', {
            message: 'Remove your own second factors under Your account.',
          })
        }
        return app.commit(requestContext, async (tx) => {
          await resetSecondFactors(tx, ports, actor, await requireAccount(tx, id))
          return getAccount(tx, id)
        })
      },
      {
        permission: operatorWriteRoute,
        query: EmptyRequest,
        body: FactorResetRequest,
        response: { 200: AccountResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Remove the second factors of an account and end its sessions' },
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
