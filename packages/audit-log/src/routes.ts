import { readAudit } from '@reeve/audit'
import type { AppContext, Rule } from '@reeve/auth'
import { csvAnswer, fails } from '@reeve/http'
import { Elysia } from 'elysia'
import { AuditCsvQuery, auditFile } from './csv.ts'
import { AuditAnswer, AuditQuery, shownEntry } from './model.ts'

const view: Rule = { who: 'session', permission: 'audit.view' }

/** `/portal/api/audit`: who changed what, when and from where. */
export const auditLog = (app: AppContext) =>
  new Elysia({ name: 'audit-log', tags: ['Portal'], normalize: false })
    .use(app.auth)
    .get(
      '/portal/api/audit',
      async ({ actor, query }) => {
        const { rows, nextCursor } = await readAudit(app.db.read, actor, query)
        return { entries: rows.map(shownEntry), nextCursor }
      },
      {
        permission: view,
        query: AuditQuery,
        response: { 200: AuditAnswer, ...fails() },
        detail: { summary: 'Read the audit log' },
      },
    )
    .get(
      '/portal/api/audit.csv',
      async ({ actor, query }) => csvAnswer(auditFile(app.db.read, app.ports, actor, query)),
      {
        permission: view,
        query: AuditCsvQuery,
        response: fails(),
        detail: { summary: 'The audit log as a file' },
      },
    )
