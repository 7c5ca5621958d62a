import { api, unwrap } from '../../api/client.ts'

/** The filters in the URL's search parameters. */
export interface AuditFilters {
  readonly who?: string
  readonly what?: string
  readonly record?: string
  /** First day, in the user's time zone; `to` is the last day. */
  readonly from?: string
  readonly to?: string
}

const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The filters as query parameters of the API. */
export const auditQuery = (workspaceId: string, { who, what, record, from, to }: AuditFilters) => ({
  workspaceId,
  ...(who !== undefined && { actorId: who }),
  ...(what !== undefined && { action: what }),
  ...(record !== undefined && { targetId: record }),
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
})

/** Reads one page of the audit log, newest first. */
export const readAudit = (
  query: ReturnType<typeof auditQuery>,
  page: { readonly cursor?: string; readonly limit?: string } = {},
) => unwrap(api.GET('/portal/api/audit', { params: { query: { ...query, ...page } } }))

/** One audited change. */
export type AuditEntry = Awaited<ReturnType<typeof readAudit>>['entries'][number]

/** The logged state of a record. */
export type Snapshot = Readonly<Record<string, unknown>>

/** The logged state before or after a change; null if there is none. */
export const toSnapshot = (value: unknown): Snapshot | null =>
  typeof value === 'object' && value !== null ? (value as Snapshot) : null
