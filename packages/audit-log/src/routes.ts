import { type AppContext, type Rule, requireVerification } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { AuditCsvQuery, createAuditCsv } from './csv.ts'
import { listEntries } from './list-entries.ts'
import { AuditQuery, AuditResponse, presentEntry } from './model.ts'

const view: Rule = { caller: 'session', permission: 'audit.view' }

/** `/portal/api/audit`: who changed what, when and from where. */
export const auditLog = (app: AppContext) =>
  new Elysia({ name: 'audit-log', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/audit',
      async ({ actor, query }) => {
        const { rows, nextCursor } = await listEntries(app.db.read, actor, query)
        return { entries: rows.map(presentEntry), nextCursor }
      },
      {
        permission: view,
        query: AuditQuery,
        response: { 200: AuditResponse, ...errorResponses() },
        detail: { summary: 'Read the audit log' },
      },
    )
    .get(
      '/portal/api/audit.csv',
      async ({ actor, query }) => createCsvResponse(createAuditCsv(app.db.read, app.ports, actor, query)),
      {
        permission: requireVerification({ ...view, rejectsCrossSite: true }),
        query: AuditCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Download the audit log as CSV' },
      },
    )
