import { type AppContext, operatorRoute, operatorWriteRoute, sessionRoute } from '@reeve/auth'
import { errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { createReport } from './create.ts'
import {
  NewReportRequest,
  ReportedResponse,
  ReportResponse,
  ReportsQuery,
  ReportsResponse,
  ResolveReportRequest,
} from './model.ts'
import { listReports } from './read.ts'
import { resolveReport } from './resolve.ts'

/** `/portal/api/reports`, for those who report a workspace, and `/admin/api/reports`, for operators. */
export const reports = (app: AppContext) => {
  const { db, ports } = app
  return new Elysia({ name: 'reports', tags: ['Operator'], normalize: false })
    .use(app.auth)
    .post(
      '/portal/api/reports',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => createReport(tx, ports, actor, body)),
      {
        // Those who are only invited report too, so the service decides instead of the gate.
        permission: sessionRoute,
        query: NoFields,
        body: NewReportRequest,
        response: { 200: ReportedResponse, ...writeErrorResponses() },
        detail: { summary: 'Report a workspace to the operators', tags: ['Portal'] },
      },
    )
    .get('/admin/api/reports', async ({ query }) => listReports(db.read, query), {
      permission: operatorRoute,
      query: ReportsQuery,
      response: { 200: ReportsResponse, ...errorResponses() },
      detail: { summary: 'List the reports about workspaces' },
    })
    .patch(
      '/admin/api/reports',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => resolveReport(tx, ports, actor, body)),
      {
        permission: operatorWriteRoute,
        query: NoFields,
        body: ResolveReportRequest,
        response: { 200: ReportResponse, ...writeErrorResponses('not_found') },
        detail: { summary: 'Mark a report as resolved' },
      },
    )
}
