import { type AppContext, SCAN_COST } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import {
  RetentionPreviewQuery,
  RetentionPreviewResponse,
  RetentionQuery,
  RetentionRequest,
  RetentionResponse,
} from './model.ts'
import { previewRetention } from './preview.ts'
import { changeRetention, readRetention } from './settings.ts'

/** `/moderation/retention`: after how many days records are deleted. */
export const retention = (app: AppContext) =>
  new Elysia({ name: 'retention', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get('/moderation/retention', async ({ actor }) => readRetention(app.db.read, app.ports, actor), {
      permission: 'moderation.view',
      query: RetentionQuery,
      response: { 200: RetentionResponse, ...errorResponses('missing_workspace_id') },
      detail: { summary: 'Read after how many days records are deleted' },
    })
    .post(
      '/moderation/retention',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          changeRetention(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: 'moderation.configure',
        query: workspaceQuery,
        body: RetentionRequest,
        response: {
          200: RetentionResponse,
          ...writeErrorResponses('missing_workspace_id', 'version_mismatch'),
        },
        detail: {
          summary: 'Set after how many days records are deleted',
          description:
            'Days count from the last change of a record, and of a ban or mute that expired from its end. Records are deleted for good, from the next midnight in UTC on. Those that are still needed are kept: sanctions in force, what counts in a ladder, bans with an open appeal or without a decision about their approval, and pinned and assigned cases.',
        },
      },
    )
    .get(
      '/moderation/retention/preview',
      async ({ actor, query }) => previewRetention(app.db.read, app.ports, actor, query),
      {
        permission: { permission: 'moderation.configure', cost: SCAN_COST },
        query: RetentionPreviewQuery,
        response: { 200: RetentionPreviewResponse, ...errorResponses('missing_workspace_id') },
        detail: { summary: 'Count the records that the next run would delete' },
      },
    )
