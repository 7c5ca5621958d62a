import type { AppContext } from '@reeve/auth'
import { errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { SearchQuery, SearchResponse } from './model.ts'
import { searchWorkspace } from './service.ts'

/** `/portal/api/search`: finds what a workspace contains by name, open to every member, as far as their permissions go. */
export const search = (app: AppContext) =>
  new Elysia({ name: 'search', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/search',
      async ({ actor, query }) => searchWorkspace(app.db.read, app.ports, actor, query),
      {
        permission: { caller: 'session', permission: null },
        query: SearchQuery,
        response: { 200: SearchResponse, ...errorResponses() },
        detail: { summary: 'Find cases, members, roles, departments, events, API keys and invitations' },
      },
    )
