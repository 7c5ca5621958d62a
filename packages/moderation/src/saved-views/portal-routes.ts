import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses, workspaceQuery, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import {
  NewSavedViewRequest,
  SavedViewPatch,
  SavedViewQuery,
  SavedViewResponse,
  SavedViewsQuery,
  SavedViewsResponse,
} from './model.ts'
import { changeSavedView, createSavedView, deleteSavedView, listSavedViews } from './service.ts'

const viewRule: Rule = { caller: 'session', permission: 'moderation.view' }

/** `/portal/api/saved-views`: named filters of record lists. */
export const savedViewPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'saved-views-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get('/portal/api/saved-views', async ({ actor }) => listSavedViews(app.db.read, actor), {
      permission: viewRule,
      query: SavedViewsQuery,
      response: { 200: SavedViewsResponse, ...errorResponses() },
      detail: { summary: 'List the saved views of the user and the shared ones' },
    })
    .post(
      '/portal/api/saved-views',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => createSavedView(tx, app.ports, actor, body)),
      {
        permission: viewRule,
        query: workspaceQuery,
        body: NewSavedViewRequest,
        response: { 200: SavedViewResponse, ...writeErrorResponses('missing_workspace_id') },
        detail: { summary: 'Save the filters of a list' },
      },
    )
    .patch(
      '/portal/api/saved-views',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) =>
          changeSavedView(tx, app.ports, actor, { ...body, ifMatch: requestContext.ifMatch }),
        ),
      {
        permission: viewRule,
        query: workspaceQuery,
        body: SavedViewPatch,
        response: {
          200: SavedViewResponse,
          ...writeErrorResponses('missing_workspace_id', 'not_found', 'version_mismatch'),
        },
        detail: { summary: 'Rename, overwrite, share or unshare a saved view' },
      },
    )
    .delete(
      '/portal/api/saved-views',
      async ({ actor, requestContext, query }) =>
        app.commit(requestContext, (tx) => deleteSavedView(tx, app.ports, actor, query)),
      {
        permission: viewRule,
        query: SavedViewQuery,
        response: { 200: SavedViewResponse, ...writeErrorResponses('missing_workspace_id', 'not_found') },
        detail: { summary: 'Delete a saved view' },
      },
    )
