import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import type { AppContext } from '../context.ts'
import { rejectIdempotencyKey, requireVerification } from '../gate/portal-rules.ts'
import type { Rule } from '../gate/rule.ts'
import { confirmKey, createKeyFromRequest, listKeys, revokeKey, rotateKey } from './lifecycle.ts'
import {
  ApiKeyResponse,
  ApiKeysResponse,
  ConfirmKeyRequest,
  KeyQuery,
  NewKeyRequest,
  NewKeyResponse,
  RevokeKeyRequest,
  RotateKeyRequest,
} from './model.ts'

const readRule: Rule = { caller: 'session', permission: 'api_keys.manage' }
const manageRule = requireVerification(readRule)

/** A leaked key must be revocable even if it has used up the quota or the workspace is archived. */
const revokeRule: Rule = { ...manageRule, allowWhenArchived: true }

/** `/portal/api/api-keys`: the API keys of a workspace. */
export const apiKeyRoutes = (app: AppContext) => {
  const { db, ports } = app

  return new Elysia({ name: 'portal-api-keys', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/api-keys',
      async ({ actor, query }) => {
        // `lastUsedAt` must include uses that are still buffered.
        await app.flushKeyUsage()
        return listKeys(db.read, ports, actor, query)
      },
      {
        permission: readRule,
        query: KeyQuery,
        response: { 200: ApiKeysResponse, ...errorResponses() },
        detail: { summary: 'List API keys' },
      },
    )
    .post(
      '/portal/api/api-keys',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => createKeyFromRequest(tx, ports, actor, body)),
      {
        permission: rejectIdempotencyKey(manageRule),
        query: workspaceQuery,
        body: NewKeyRequest,
        response: { 200: NewKeyResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Create an API key' },
      },
    )
    .post(
      '/portal/api/api-keys/revoke',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => revokeKey(tx, ports, actor, body)),
      {
        permission: revokeRule,
        query: workspaceQuery,
        body: RevokeKeyRequest,
        response: { 200: ApiKeyResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Revoke an API key' },
      },
    )
    .post(
      '/portal/api/api-keys/confirm',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => confirmKey(tx, ports, actor, body)),
      {
        permission: revokeRule,
        query: workspaceQuery,
        body: ConfirmKeyRequest,
        response: { 200: ApiKeyResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Confirm an API key that a restore has brought back' },
      },
    )
    .post(
      '/portal/api/api-keys/rotate',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => rotateKey(tx, ports, actor, body)),
      {
        permission: rejectIdempotencyKey(revokeRule),
        query: workspaceQuery,
        body: RotateKeyRequest,
        response: { 200: NewKeyResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Rotate an API key' },
      },
    )
}
