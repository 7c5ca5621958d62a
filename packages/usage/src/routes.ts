import { type AppContext, operatorWriteRoute, type Rule, requireVerification } from '@reeve/auth'
import { createCsvResponse, errorResponses, NoFields, writeErrorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { createUsageCsv } from './csv.ts'
import { QuotaRequest, QuotaResponse, UsageQuery, UsageResponse } from './model.ts'
import { setQuota } from './quota.ts'
import { readStorageUsage, readUsage } from './read.ts'

const view: Rule = { caller: 'session', permission: 'usage.view' }

/** `/portal/api/usage` reads the usage of a workspace; `/admin/api/quotas` sets its quotas. */
export const usage = (app: AppContext) =>
  new Elysia({ name: 'usage', normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/usage',
      async ({ actor, query }) => ({
        ...(await readUsage(app.db.read, app.meter, app.ports, actor, query)),
        storage: await readStorageUsage(app.db.read, app.storage, actor.workspaceId),
      }),
      {
        permission: view,
        query: UsageQuery,
        response: { 200: UsageResponse, ...errorResponses() },
        detail: { summary: 'Read the usage of the workspace' },
      },
    )
    .get(
      '/portal/api/usage.csv',
      async ({ actor, query }) =>
        createCsvResponse(createUsageCsv(app.db.read, app.meter, app.ports, actor, query)),
      {
        permission: requireVerification({ ...view, rejectsCrossSite: true }),
        query: UsageQuery,
        response: errorResponses(),
        detail: { summary: 'Download the usage of the workspace as CSV' },
      },
    )
    .post(
      '/admin/api/quotas',
      async ({ actor, requestContext, body }) =>
        app.commit(requestContext, (tx) => setQuota(tx, app.ports, actor, body)),
      {
        permission: operatorWriteRoute,
        query: NoFields,
        body: QuotaRequest,
        response: { 200: QuotaResponse, ...writeErrorResponses('not_found') },
      },
    )
