import type { AppContext } from '@reeve/auth'
import { MAX_BATCH_TARGETS } from '@reeve/core'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { assertNoCases } from './assert-no-cases.ts'
import { applyBatchCommand, findUndoScope } from './create.ts'
import {
  BatchesResponse,
  BatchPreviewResponse,
  BatchQuery,
  BatchRequest,
  BatchResponse,
  BatchWithResultsResponse,
} from './model.ts'
import { isPreview, parseBatchRequest, selectBatchStorage } from './parse-request.ts'
import { previewBatch } from './preview.ts'
import { getBatch, listBatches } from './results.ts'

/** Fits as many ids of players as a batch can have, of any length. */
const BODY_LIMIT = MAX_BATCH_TARGETS * 140 + 128 * 1024

/** `/moderation/batches`: actions on many players or records, and their reversal. */
export const batches = (app: AppContext) =>
  new Elysia({ name: 'batches', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/batches',
      async ({ actor, query }) => {
        const { id } = query
        return id === undefined
          ? listBatches(app.db.read, actor, query)
          : getBatch(app.db.read, actor, app.ports.now(), { ...query, id })
      },
      {
        permission: 'moderation.bulk',
        query: BatchQuery,
        response: {
          200: Type.Union([BatchesResponse, BatchWithResultsResponse], {
            description: 'The batches, or one with its results',
          }),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List batches, or read one with its results' },
      },
    )
    .post(
      '/moderation/batches',
      async ({ actor, requestContext, body }) => {
        const command = parseBatchRequest(actor, body)
        await assertNoCases(app.db.read, actor, command)
        if (body.dryRun && command.kind !== 'cancel') return previewBatch(app.db, app.ports, actor, command)
        const scope = await findUndoScope(app.db.read, actor, command)
        return app.commit(requestContext, (tx) => applyBatchCommand(tx, app.ports, actor, command, scope))
      },
      {
        permission: {
          permission: 'moderation.bulk',
          isReadOnly: isPreview,
          storage: selectBatchStorage,
          bodyLimit: BODY_LIMIT,
        },
        query: workspaceQuery,
        body: BatchRequest,
        response: {
          200: Type.Union([BatchResponse, BatchPreviewResponse], {
            description: 'The batch, which is done in the background, or its preview',
          }),
          ...writeErrorResponses('missing_workspace_id', 'not_found'),
        },
        detail: {
          summary: 'Act on many players or records, undo what an actor did, or reverse or cancel a batch',
          description:
            'The batch is done in the background: read it by its `id` until `finishedAt` is set. Each target is checked as in the single action, and has a result of its own.',
        },
      },
    )
