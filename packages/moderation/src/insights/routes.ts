import { type AppContext, requireVerification, SCAN_COST } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { InsightsCsvQuery, InsightsQuery, InsightsResponse } from './model.ts'
import { createInsightsCsv, readInsights } from './service.ts'

/** `/moderation/insights`: how much staff moderate, and how quickly they respond. */
export const insights = (app: AppContext) =>
  new Elysia({ name: 'insights', tags: ['Moderation'], normalize: false })
    .use(app.auth)
    .get(
      '/moderation/insights',
      async ({ actor, query }) => readInsights(app.db.read, app.ports, actor, query),
      {
        permission: { permission: 'moderation.insights', cost: SCAN_COST },
        query: InsightsQuery,
        response: { 200: InsightsResponse, ...errorResponses('missing_workspace_id') },
        detail: { summary: 'Count bans, mutes, warnings and kicks, and how quickly staff respond' },
      },
    )

/** `/portal/api/insights.csv`: one view of the insights as a file. */
export const insightsPortalRoutes = (app: AppContext) =>
  new Elysia({ name: 'insights-portal', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/insights.csv',
      async ({ actor, query }) => createCsvResponse(createInsightsCsv(app.db.read, app.ports, actor, query)),
      {
        permission: requireVerification({
          caller: 'session',
          permission: 'moderation.insights',
          rejectsCrossSite: true,
        }),
        query: InsightsCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Download days, moderators, reasons or response times as CSV' },
      },
    )
