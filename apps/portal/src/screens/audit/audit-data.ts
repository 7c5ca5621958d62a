import { api, unwrap } from '../../api/client.ts'

/** What the list is narrowed down to, as the address holds it. */
export interface AuditFilters {
  readonly who?: string
  readonly what?: string
  readonly record?: string
  /** The first day and the last one, in the reader's zone. */
  readonly from?: string
  readonly to?: string
}

const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

/** The filters as the server takes them. */
export const auditQuery = (workspaceId: string, { who, what, record, from, to }: AuditFilters) => ({
  workspaceId,
  ...(who !== undefined && { actorId: who }),
  ...(what !== undefined && { action: what }),
  ...(record !== undefined && { targetId: record }),
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(to !== undefined && { to: startOfDay(to, 1) }),
})

/** One page of the log, newest first. */
export const readAudit = (
  query: ReturnType<typeof auditQuery>,
  page: { readonly cursor?: string; readonly limit?: string } = {},
) => unwrap(api.GET('/portal/api/audit', { params: { query: { ...query, ...page } } }))

/** One change. */
export type AuditEntry = Awaited<ReturnType<typeof readAudit>>['entries'][number]

/** A record as it stood: what was logged of it. */
export type Snapshot = Readonly<Record<string, unknown>>

/** What was logged of a record, before or after; null where there was none. */
export const toSnapshot = (value: unknown): Snapshot | null =>
  typeof value === 'object' && value !== null ? (value as Snapshot) : null
