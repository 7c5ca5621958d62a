import type { AppContext, Rule } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { listActors } from './actor-names.ts'
import { ModerationCsvQuery, recordsFile } from './csv.ts'
import {
  ActorsAnswer,
  ActorsQuery,
  PlayersAnswer,
  PlayersQuery,
  ReasonsAnswer,
  ReasonsQuery,
} from './player-model.ts'
import { findPlayers } from './players.ts'
import { listReasons } from './reasons.ts'
import { listAsked } from './request.ts'

const view: Rule = { who: 'session', permission: 'moderation.view' }

/** `/portal/api/players`, `/portal/api/reasons`, `/portal/api/actors`, `/portal/api/moderation.csv`: what staff look things up in. */
export const moderationDesk = (app: AppContext) =>
  new Elysia({ name: 'moderation-desk', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/players',
      async ({ actor, query }) => findPlayers(app.db.read, app.ports, actor, query),
      {
        permission: view,
        query: PlayersQuery,
        response: { 200: PlayersAnswer, ...errorResponses() },
        detail: { summary: 'Find players by the beginning of an id or a name' },
      },
    )
    .get('/portal/api/reasons', async ({ actor, query }) => listReasons(app.db.read, actor, query), {
      permission: view,
      query: ReasonsQuery,
      response: { 200: ReasonsAnswer, ...errorResponses() },
      detail: { summary: 'List the reasons given lately' },
    })
    .get('/portal/api/actors', async ({ actor, query }) => listActors(app.db.read, actor, query), {
      permission: view,
      query: ActorsQuery,
      response: { 200: ActorsAnswer, ...errorResponses() },
      detail: { summary: 'Name the accounts and API keys that records speak of' },
    })
    .get(
      '/portal/api/moderation.csv',
      async ({ actor, query }) =>
        createCsvResponse(recordsFile(app.db.read, app.ports, actor, listAsked(query))),
      {
        permission: view,
        query: ModerationCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Bans, ban history or records as a file' },
      },
    )
