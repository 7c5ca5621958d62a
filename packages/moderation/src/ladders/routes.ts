import type { AppContext } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  LadderQuery,
  LadderRequest,
  LadderResponse,
  LaddersResponse,
  LadderWithVersionsResponse,
} from './model.ts'
import { applyLadderAction, getLadder, listLadders } from './service.ts'

/** `/moderation/ladders`: which action follows which number of records. */
export const ladders = (app: AppContext) =>
  new Elysia({ name: 'ladders', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/ladders',
      async ({ actor, query }) =>
        query.id === undefined
          ? listLadders(app.db.read, actor, query)
          : getLadder(app.db.read, actor, query),
      {
        permission: 'moderation.view',
        query: LadderQuery,
        response: {
          200: Type.Union([LaddersResponse, LadderWithVersionsResponse]),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List escalation ladders, or read one with its earlier versions' },
      },
    )
    .post(
      '/moderation/ladders',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          applyLadderAction(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: 'moderation.configure',
        query: workspaceQuery,
        body: LadderRequest,
        response: {
          200: LadderResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Create, update, archive or restore an escalation ladder' },
      },
    )
