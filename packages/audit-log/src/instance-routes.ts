import { type AppContext, operatorRoute, requireVerification, SCAN_COST, sessionRoute } from '@reeve/auth'
import { createCsvResponse, errorResponses } from '@reeve/http'
import { Elysia } from 'elysia'
import { createInstanceAuditCsv, InstanceAuditCsvQuery } from './csv.ts'
import { findTargetNames, listAccountEntries, listInstanceEntries } from './list-entries.ts'
import {
  InstanceAuditQuery,
  InstanceAuditResponse,
  presentActivity,
  presentEntry,
  SecurityActivityQuery,
  SecurityActivityResponse,
} from './model.ts'

/** `/admin/api/audit`, the log of the instance for operators, and `/portal/api/security-activity`, that of the signed-in account. */
export const instanceAuditLog = (app: AppContext) =>
  new Elysia({ name: 'instance-audit-log', normalize: false })
    .use(app.auth)
    .get(
      '/admin/api/audit',
      async ({ query }) => {
        const { rows, nextCursor } = await listInstanceEntries(app.db.read, query)
        const names = await findTargetNames(app.db.read, rows)
        const entries = rows.map((row) => ({
          ...presentEntry(row),
          targetName: names.get(row.target_id) ?? null,
        }))
        return { entries, nextCursor }
      },
      {
        permission: { ...operatorRoute, cost: SCAN_COST },
        query: InstanceAuditQuery,
        response: { 200: InstanceAuditResponse, ...errorResponses() },
        detail: { summary: 'Read the audit log of the instance', tags: ['Operator'] },
      },
    )
    .get(
      '/admin/api/audit.csv',
      async ({ query }) => createCsvResponse(createInstanceAuditCsv(app.db.read, app.ports, query)),
      {
        permission: requireVerification({ ...operatorRoute, cost: SCAN_COST, rejectsCrossSite: true }),
        query: InstanceAuditCsvQuery,
        response: errorResponses(),
        detail: { summary: 'Download the audit log of the instance as CSV', tags: ['Operator'] },
      },
    )
    .get(
      '/portal/api/security-activity',
      async ({ actor, query }) => {
        const { rows, nextCursor } = await listAccountEntries(app.db.read, actor.id, query)
        return { entries: rows.map((row) => presentActivity(row, actor.id)), nextCursor }
      },
      {
        permission: { ...sessionRoute, cost: SCAN_COST },
        query: SecurityActivityQuery,
        response: { 200: SecurityActivityResponse, ...errorResponses() },
        detail: { summary: 'Read the security activity of the signed-in account', tags: ['Portal'] },
      },
    )
