import { AppError, MAX_ID, paginate, parsePage, wire } from '@reeve/core'
import { type Queries, type Sql, statement, type WorkspaceReportTable } from '@reeve/db'
import type { PresentedReport, ReportsQueryInput } from './model.ts'

type ReportRow = WorkspaceReportTable & { reporter: string; owner: string | null }

interface PageParams {
  readonly before: string
  readonly limit: number
}

const selectReports = (sql: Sql) =>
  sql
    .selectFrom('workspace_report')
    .innerJoin('account as reporter', 'reporter.id', 'workspace_report.reporter_id')
    .leftJoin('workspace', 'workspace.id', 'workspace_report.reported_workspace_id')
    .leftJoin('account as owner', 'owner.id', 'workspace.owner_id')
    .selectAll('workspace_report')
    .select(['reporter.username as reporter', 'owner.username as owner'])

const newestFirst = statement<PageParams>()((sql, p) =>
  selectReports(sql)
    .where('workspace_report.id', '<', p.before)
    .orderBy('workspace_report.id', 'desc')
    .limit(p.limit),
)
const openNewestFirst = statement<PageParams>()((sql, p) =>
  selectReports(sql)
    .where('workspace_report.id', '<', p.before)
    .where('workspace_report.resolved_at', 'is', null)
    .orderBy('workspace_report.id', 'desc')
    .limit(p.limit),
)
const byId = statement<{ id: string }>()((sql, p) =>
  selectReports(sql).where('workspace_report.id', '=', p.id),
)
const countOpen = statement()((sql) =>
  sql
    .selectFrom('workspace_report')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('resolved_at', 'is', null),
)

const LIST = 'reports'

/** A page of the reports, newest first: all, or the open ones. */
export async function listReports(db: Queries, input: ReportsQueryInput) {
  const page = parsePage(LIST, input, ['string'])
  const results = await db.all(input.open ? openNewestFirst : newestFirst, {
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { reports: rows.map(presentReport), nextCursor }
}

/** A report. @throws AppError `not_found` */
export async function requireReport(db: Queries, id: string): Promise<ReportRow> {
  const row = await db.first(byId, { id })
  if (!row) throw new AppError('not_found', { message: 'This report does not exist.' })
  return row
}

export const countOpenReports = async (db: Queries): Promise<number> =>
  (await db.first(countOpen, {}))?.count ?? 0

export const presentReport = (row: ReportRow): PresentedReport => ({
  id: row.id,
  workspaceId: row.reported_workspace_id,
  groupName: row.group_name,
  owner: row.owner,
  reporterId: row.reporter_id,
  reporter: row.reporter,
  message: row.message,
  createdAt: wire.time.write(row.created_at),
  resolvedAt: wire.writeNullableTime(row.resolved_at),
})
