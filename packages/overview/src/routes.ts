import type { AppContext } from '@reeve/auth'
import { errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { OverviewQuery, OverviewResponse } from './model.ts'
import { readOverview } from './read.ts'

/** `/portal/api/overview`: the state of a workspace, open to every member, as far as their permissions go. */
export const overview = (app: AppContext) =>
  new Elysia({ name: 'overview', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/overview',
      async ({ actor, query }) => readOverview(app.db.read, app.meter, app.ports, actor, query),
      {
        permission: { caller: 'session', permission: null },
        query: OverviewQuery,
        response: { 200: OverviewResponse, ...errorResponses() },
        detail: { summary: 'Read the state of the workspace' },
      },
    )
