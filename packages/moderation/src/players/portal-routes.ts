import type { AppContext, Rule } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { createRecordsCsv, ModerationCsvQuery } from '../records/csv.ts'
import { parseListQuery } from '../records/parse-request.ts'
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

/** `/portal/api/players`, `/portal/api/reasons`, `/portal/api/actors`, `/portal/api/moderation.csv`: what staff look things up in. */
export const moderationPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'moderation-desk', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/players',
      async ({ actor, query }) => findPlayers(app.db.read, app.ports, actor, query),
      {
        permission: viewRule,
        query: PlayersQuery,
        response: { 200: PlayersResponse, ...errorResponses() },
        detail: { summary: 'Find players by the beginning of an id or a name' },
      },
    )
    .get('/portal/api/reasons', async ({ actor, query }) => listReasons(app.db.read, actor, query), {
      permission: viewRule,
      query: ReasonsQuery,
      response: { 200: ReasonsResponse, ...errorResponses() },
      detail: { summary: 'List the reasons given lately' },
    })
    .get('/portal/api/actors', async ({ actor, query }) => listActors(app.db.read, actor, query), {
      permission: viewRule,
      query: ActorsQuery,
      response: { 200: ActorsResponse, ...errorResponses() },
      detail: { summary: 'Name the accounts and API keys that records speak of' },
    })
    .get(
      '/portal/api/moderation.csv',
      async ({ actor, query }) =>
        createCsvResponse(createRecordsCsv(app.db.read, app.ports, actor, parseListQuery(query))),
      {
        permission: viewRule,
        query: ModerationCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Bans, ban history or records as a file' },
      },
    )
