import { type Actor, MAX_LIMIT, type Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { type CsvFile, requestObject } from '@reeve/http'
import { ModerationQuery, type ShownRecord } from './model.ts'
import { pageOfRecords } from './read.ts'
import type { ListAsked } from './request.ts'

const { limit: _, cursor: __, ...filters } = ModerationQuery.properties

/** The query of the file: that of the lists, whole. */
export const ModerationCsvQuery = requestObject(filters)

const NAMES = { bans: 'bans', history: 'ban-history', records: 'records' } as const

/** The columns, and what stands in them. */
const columns = {
  caseNumber: (record) => record.caseNumber,
  action: (record) => record.action,
  status: (record) => record.status,
  severity: (record) => record.severity,
  userId: (record) => record.userId,
  userUsername: (record) => record.userUsername,
  reason: (record) => record.reason,
  evidence: (record) => record.evidence.join('\n'),
  comments: (record) =>
    record.comments.map(({ authorUsername, text }) => `${authorUsername}: ${text}`).join('\n'),
  durationSeconds: (record) => record.durationSeconds,
  createdAt: (record) => record.createdAt,
  expiresAt: (record) => record.expiresAt,
  updatedAt: (record) => record.updatedAt,
  acknowledgedAt: (record) => record.acknowledgedAt,
  actorUserId: (record) => record.actorUserId,
  actorUsername: (record) => record.actorUsername,
  actorPlatformUserId: (record) => record.actorPlatformUserId,
  revokedAt: (record) => record.revokedAt,
  revokedBy: (record) => record.revokedBy,
  revokeReason: (record) => record.revokeReason,
  redactedAt: (record) => record.redactedAt,
  id: (record) => record.id,
} as const satisfies Record<string, (record: ShownRecord) => string | null>

/** The records of a list as a file, newest first. */
export const recordsFile = (db: Queries, ports: Ports, actor: Actor, asked: ListAsked): CsvFile => ({
  name: NAMES[asked.list],
  createdAt: ports.now(),
  header: Object.keys(columns),
  async readPage(cursor) {
    const page = { ...asked, limit: MAX_LIMIT, ...(cursor !== undefined && { cursor }) }
    const { records, nextCursor } = await pageOfRecords(db, ports, actor, page)
    const lines = records.map((record) => Object.values(columns).map((read) => read(record)))
    return { lines, nextCursor }
  },
})
