import { type AppContext, requireVerification } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { createRecordsCsv, ModerationCsvQuery } from './csv.ts'
import { parseListQuery } from './parse-request.ts'

/** `/portal/api/moderation.csv`: the export of records. */
export const recordPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'moderation-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/moderation.csv',
      async ({ actor, query }) =>
        createCsvResponse(createRecordsCsv(app.db.read, app.ports, actor, parseListQuery(query))),
      {
        permission: requireVerification({
          caller: 'session',
          permission: 'moderation.view',
          rejectsCrossSite: true,
        }),
        query: ModerationCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Download bans, ban history or records as CSV' },
      },
    )
