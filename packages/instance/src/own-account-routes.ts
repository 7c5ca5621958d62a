import {
  type AppContext,
  CreatorKeysResponse,
  listAllCreatorKeys,
  presentCreatorKeys,
  requireVerification,
  revokeKeyIds,
  sessionRoute,
} from '@reeve/auth'
import { errorResponses, NoFields, requestObject, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { deleteAccount } from './account-delete.ts'
import { DeletedAccountResponse } from './model.ts'
import type { RemoveMember } from './routes.ts'

const DeleteOwnAccountRequest = requestObject({ revokeKeyIds })

/** `/portal/api/account`: deletes the signed-in account. */
export const ownAccount = (app: AppContext, removeMember: RemoveMember) => {
  const { db, ports } = app
  return new Elysia({ name: 'own-account', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/account/keys',
      async ({ actor }) => {
        await app.flushKeyUsage()
        return presentCreatorKeys(await listAllCreatorKeys(db.read, ports, actor.id))
      },
      {
        permission: sessionRoute,
        query: NoFields,
        response: { 200: CreatorKeysResponse, ...errorResponses() },
        detail: { summary: 'List the API keys that the signed-in account created and that still work' },
      },
    )
    .post(
      '/portal/api/account/delete',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, async (tx) => {
          await deleteAccount(tx, ports, actor, actor.id, body.revokeKeyIds ?? [], (workspaceId) =>
            removeMember(tx, { ...actor, workspaceId }, actor.id),
          )
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
