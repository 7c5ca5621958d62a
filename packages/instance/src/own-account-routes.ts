import {
  type AppContext,
  CreatorKeysResponse,
  type CreatorWebhooks,
  CreatorWebhooksResponse,
  readAllCreatorKeys,
  readAllCreatorWebhooks,
  requireVerification,
  sessionRoute,
} from '@reeve/auth'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { deleteAccount } from './account-delete.ts'
import { DeletedAccountResponse, DeleteOwnAccountRequest } from './model.ts'
import type { RemoveMember } from './routes.ts'

/** `/portal/api/account`: deletes the signed-in account. */
export const ownAccount = (app: AppContext, removeMember: RemoveMember, creatorWebhooks: CreatorWebhooks) => {
  const { db, ports } = app
  return new Elysia({ name: 'own-account', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/account/keys',
      async ({ actor }) => {
        await app.flushKeyUsage()
        return readAllCreatorKeys(db.read, ports, actor.id)
      },
      {
        permission: sessionRoute,
        query: NoFields,
        response: { 200: CreatorKeysResponse, ...errorResponses() },
        detail: { summary: 'List the API keys that the signed-in account created and that still work' },
      },
    )
    .get(
      '/portal/api/account/webhooks',
      async ({ actor }) => readAllCreatorWebhooks(db.read, creatorWebhooks, actor.id),
      {
        permission: sessionRoute,
        query: NoFields,
        response: { 200: CreatorWebhooksResponse, ...errorResponses() },
        detail: { summary: 'List the active webhooks that the signed-in account or its API keys created' },
      },
    )
    .post(
      '/portal/api/account/delete',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, async (tx) => {
          await deleteAccount(tx, ports, actor, actor.id, body, {
            removeFromWorkspace: (workspaceId) => removeMember(tx, { ...actor, workspaceId }, actor.id),
            pauseWebhooks: creatorWebhooks.pause,
          })
          return { id: actor.id }
        }),
      {
        permission: requireVerification(sessionRoute),
        query: NoFields,
        body: DeleteOwnAccountRequest,
        response: { 200: DeletedAccountResponse, ...writeErrorResponses() },
        detail: { summary: 'Delete the signed-in account' },
      },
    )
}
