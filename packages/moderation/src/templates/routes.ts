import type { AppContext } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  TemplateQuery,
  TemplateRequest,
  TemplateResponse,
  TemplatesResponse,
  TemplateWithVersionsResponse,
} from './model.ts'
import { previewTemplate } from './preview.ts'
import { PreviewQuery, PreviewResponse } from './preview-model.ts'
import { applyTemplateAction, getTemplate, listTemplates } from './service.ts'

/** `/moderation/templates` and `/moderation/preview`: the reasons that staff choose, and what they lead to. */
export const templates = (app: AppContext) =>
  new Elysia({ name: 'templates', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/templates',
      async ({ actor, query }) =>
        query.id === undefined
          ? listTemplates(app.db.read, actor, query)
          : getTemplate(app.db.read, actor, query),
      {
        permission: 'moderation.view',
        query: TemplateQuery,
        response: {
          200: Type.Union([TemplatesResponse, TemplateWithVersionsResponse]),
          ...errorResponses('missing_workspace_id', 'not_found'),
        },
        detail: { summary: 'List reason templates, or read one with its earlier versions' },
      },
    )
    .post(
      '/moderation/templates',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          applyTemplateAction(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: 'moderation.configure',
        query: workspaceQuery,
        body: TemplateRequest,
        response: {
          200: Type.Union([TemplateResponse, TemplatesResponse]),
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Create, update, archive, restore or order reason templates' },
      },
    )
    .get(
      '/moderation/preview',
      async ({ actor, query }) => previewTemplate(app.db.read, app.ports, actor, query),
      {
        permission: 'moderation.view',
        query: PreviewQuery,
        response: {
          200: PreviewResponse,
          ...errorResponses('missing_workspace_id', 'not_found', 'conflict'),
        },
        detail: {
          summary: 'Preview what a template leads to for a player',
          description:
            'What `POST /api/moderation` with this `templateId` and no `action` would do now, with the records that count and when each of them stops counting.',
        },
      },
    )
