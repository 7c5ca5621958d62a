import { readAudit } from '@reeve/audit'
import { type Actor, MAX_LIMIT, type Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { type CsvFile, request } from '@reeve/http'
import { AuditQuery, type AuditQueryInput, type ShownEntry, shownEntry } from './model.ts'

const { limit: _, cursor: __, ...filters } = AuditQuery.properties

/** The query of the file: that of the list, whole. */
export const AuditCsvQuery = request(filters)

const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** The columns, and what stands in them. */
const columns = {
  sequence: (entry) => entry.sequence,
  at: (entry) => entry.at,
  actorKind: (entry) => entry.actorKind,
  actorId: (entry) => entry.actorId,
  actorName: (entry) => entry.actorName,
  action: (entry) => entry.action,
  targetKind: (entry) => entry.targetKind,
  targetId: (entry) => entry.targetId,
  before: (entry) => json(entry.changes?.before),
  after: (entry) => json(entry.changes?.after),
  address: (entry) => entry.address,
  requestId: (entry) => entry.requestId,
  hash: (entry) => entry.hash,
} as const satisfies Record<string, (entry: ShownEntry) => string | null>

/** The audit log as a file, newest first. */
export const auditFile = (db: Queries, ports: Ports, actor: Actor, input: AuditQueryInput): CsvFile => ({
  name: 'audit',
  at: ports.now(),
  header: Object.keys(columns),
  async page(cursor) {
    const page = { ...input, limit: MAX_LIMIT, ...(cursor !== undefined && { cursor }) }
    const { rows, nextCursor } = await readAudit(db, actor, page)
    const lines = rows.map(shownEntry).map((entry) => Object.values(columns).map((read) => read(entry)))
    return { lines, nextCursor }
  },
})
