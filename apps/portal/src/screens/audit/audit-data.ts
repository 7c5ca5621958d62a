import { api, unwrap } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'
import type { auditQuery } from './audit-filters.ts'

/** Reads one page of the audit log, newest first. */
export const readAudit = (
  query: ReturnType<typeof auditQuery>,
  page: { readonly cursor?: string; readonly limit?: string } = {},
) => unwrap(api.GET('/portal/api/audit', { params: { query: { ...query, ...page } } }))

/** The audit log, newest first. */
export const auditPagesQuery = (query: ReturnType<typeof auditQuery>) =>
  pagesQuery([query.workspaceId, 'audit', query], (cursor) => readAudit(query, cursor))

export type AuditPage = Awaited<ReturnType<typeof readAudit>>

/** One audited change. */
export type AuditEntry = AuditPage['entries'][number]

/** The logged state of a record. */
export type Snapshot = Readonly<Record<string, unknown>>

/** The logged state before or after a change; null if there is none. */
export const toSnapshot = (value: unknown): Snapshot | null =>
  typeof value === 'object' && value !== null ? (value as Snapshot) : null
