import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from './context.ts'
import { listKeys, makeKey, revokeKey, rotateKey } from './key-life.ts'
import {
  ApiKeyAnswer,
  ApiKeysAnswer,
  KeyQuery,
  NewKeyAnswer,
  NewKeyRequest,
  RevokeKeyRequest,
  RotateKeyRequest,
} from './key-model.ts'
import { withoutReplay } from './portal-rules.ts'
import type { Rule } from './rule.ts'

const managers: Rule = { who: 'session', permission: 'api_keys.manage' }

/** A key that has leaked must end, whatever it has done to the workspace meanwhile. */
const toTheRescue: Rule = { ...managers, whileArchived: true, beyondQuota: true }

/** `/portal/api/api-keys`: the keys of a workspace. */
export const apiKeyRoutes = (app: AppContext) => {
  const { db, ports } = app

  return new Elysia({ name: 'portal-api-keys', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/api-keys',
      async ({ actor, query }) => {
        // Whoever asks whether a key is still used must not read that it is not.
        await app.writeLastUses()
        return listKeys(db.read, ports, actor, query)
      },
      {
        permission: managers,
        query: KeyQuery,
        response: { 200: ApiKeysAnswer, ...errorResponses() },
        detail: { summary: 'List API keys' },
      },
    )
    .post(
      '/portal/api/api-keys',
      async ({ actor, call, body }) =>
        app.commit(withoutReplay(call), (tx) => makeKey(tx, ports, actor, body)),
      {
        permission: managers,
        query: workspaceQuery,
        body: NewKeyRequest,
        response: { 200: NewKeyAnswer, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Create an API key; it is shown once' },
      },
    )
    .post(
      '/portal/api/api-keys/revoke',
      async ({ actor, call, body }) => app.commit(call, (tx) => revokeKey(tx, ports, actor, body)),
      {
        permission: toTheRescue,
        query: workspaceQuery,
        body: RevokeKeyRequest,
        response: { 200: ApiKeyAnswer, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Revoke an API key, from the next request on' },
      },
    )
    .post(
      '/portal/api/api-keys/rotate',
      async ({ actor, call, body }) =>
        app.commit(withoutReplay(call), (tx) => rotateKey(tx, ports, actor, body)),
      {
        permission: toTheRescue,
        query: workspaceQuery,
        body: RotateKeyRequest,
        response: { 200: NewKeyAnswer, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Put a new API key in the place of one' },
      },
    )
}
