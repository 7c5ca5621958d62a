import { api, unwrap } from '../../api/client.ts'
import { toTimeRange } from '../../format/day-range.ts'

/** The filters in the URL's search parameters. */
export interface AuditFilters {
  readonly who?: string
  readonly what?: string
  /** Ids of targets, case numbers and player ids, each separated by commas: a change matches one of them. */
  readonly record?: string
  readonly caseNumber?: string
  readonly userId?: string
  /** Texts that can mean several targets or none, until the reader has chosen. */
  readonly find?: string
  /** First day, in the user's time zone; `to` is the last day. */
  readonly from?: string
  readonly to?: string
}

/** The filters as query parameters of the API. */
export const auditQuery = (
  workspaceId: string,
  { who, what, record, caseNumber, userId, from, to }: AuditFilters,
) => ({
  workspaceId,
  ...(who !== undefined && { actorId: who }),
  ...(what !== undefined && { action: what }),
  ...(record !== undefined && { targetId: record }),
  ...(caseNumber !== undefined && { caseNumber }),
  ...(userId !== undefined && { userId }),
  ...toTimeRange({ from, to }),
})

/** Reads one page of the audit log, newest first. */
export const readAudit = (
  query: ReturnType<typeof auditQuery>,
  page: { readonly cursor?: string; readonly limit?: string } = {},
) => unwrap(api.GET('/portal/api/audit', { params: { query: { ...query, ...page } } }))

export type AuditPage = Awaited<ReturnType<typeof readAudit>>

/** One audited change. */
export type AuditEntry = AuditPage['entries'][number]

/** The logged state of a record. */
export type Snapshot = Readonly<Record<string, unknown>>

/** The logged state before or after a change; null if there is none. */
export const toSnapshot = (value: unknown): Snapshot | null =>
  typeof value === 'object' && value !== null ? (value as Snapshot) : null
