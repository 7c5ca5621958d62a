import { type AppContext, type Rule, rejectIdempotencyKey, requireVerification } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  ErasurePreviewQuery,
  ErasurePreviewResponse,
  ErasureRequest,
  ErasureResponse,
  ErasuresQuery,
  ErasuresResponse,
} from './model.ts'
import { previewErasure } from './preview.ts'
import { readErasures, requestErasure } from './service.ts'

const rule: Rule = { permission: 'moderation.erase', endpoint: 'moderation' }
/** Erasing must stay possible in an archived workspace, and where the storage is used up. No hash of the ID is stored for a retry. */
const requestRule: Rule = {
  ...rejectIdempotencyKey(requireVerification(rule)),
  allowWhenArchived: true,
  storage: 'exempt',
}

/** `/moderation/erasures`: erases players on request. */
export const erasures = (app: AppContext) =>
  new Elysia({ name: 'erasures', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/erasures',
      async ({ actor, query }) => readErasures(app.db.read, app.ports, actor, query, app.listBackups),
      {
        permission: rule,
        query: ErasuresQuery,
        response: {
          200: Type.Union([ErasuresResponse, ErasureResponse]),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List the erasures of players, or read one' },
      },
    )
    .get(
      '/moderation/erasures/preview',
      async ({ actor, query }) => previewErasure(app.db.read, actor, query, app.ports.now()),
      {
        permission: rule,
        query: ErasurePreviewQuery,
        response: { 200: ErasurePreviewResponse, ...errorResponses('missing_workspace_id') },
        detail: { summary: 'Count what an erasure of a player would remove' },
      },
    )
    .post(
      '/moderation/erasures',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => requestErasure(tx, app.ports, actor, body)),
      {
        permission: requestRule,
        query: workspaceQuery,
        body: ErasureRequest,
        response: { 200: ErasureResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: {
          summary: 'Erase a player',
          description:
            'Deletes everything about a player, or keeps records and bans under a pseudonym. It cannot be undone, and runs in the background: read the erasure to see when it is complete.',
        },
      },
    )
