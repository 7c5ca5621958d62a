import type { AppContext, Rule } from '@reeve/auth'
import { errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { listActors } from './actors.ts'
import {
  ActorsQuery,
  ActorsResponse,
  PlayersQuery,
  PlayersResponse,
  ReasonsQuery,
  ReasonsResponse,
} from './model.ts'
import { listReasons } from './reasons.ts'
import { findPlayers } from './search.ts'

const viewRule: Rule = { caller: 'session', permission: 'moderation.view' }

/** `/portal/api/players`, `/portal/api/reasons` and `/portal/api/actors`: player search and suggestions. */
export const playerPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'players-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/players',
      async ({ actor, query }) => findPlayers(app.db.read, app.ports, actor, query),
      {
        permission: viewRule,
        query: PlayersQuery,
        response: { 200: PlayersResponse, ...errorResponses() },
        detail: { summary: 'Find players by their id or names' },
      },
    )
    .get('/portal/api/reasons', async ({ actor, query }) => listReasons(app.db.read, actor, query), {
      permission: viewRule,
      query: ReasonsQuery,
      response: { 200: ReasonsResponse, ...errorResponses() },
      detail: { summary: 'List recent reasons' },
    })
    .get('/portal/api/actors', async ({ actor, query }) => listActors(app.db.read, actor, query), {
      permission: viewRule,
      query: ActorsQuery,
      response: { 200: ActorsResponse, ...errorResponses() },
      detail: { summary: 'List the names of accounts and API keys in records' },
    })
