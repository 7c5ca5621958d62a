import { type Actor, MAX_LIMIT, type Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { type CsvFile, requestObject } from '@reeve/http'
import { ModerationQuery, type ModerationRecord } from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { findRecordPage } from './read.ts'

const { limit: _, cursor: __, ...filters } = ModerationQuery.properties

/** The query of the file: that of the lists, whole. */
export const ModerationCsvQuery = requestObject(filters)

const FILE_NAMES = { bans: 'bans', history: 'ban-history', records: 'records' } as const

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
} as const satisfies Record<string, (record: ModerationRecord) => string | null>

/** The records of a list as a file, newest first. */
export const createRecordsCsv = (db: Queries, ports: Ports, actor: Actor, query: ListQuery): CsvFile => ({
  name: FILE_NAMES[query.list],
  createdAt: ports.now(),
  header: Object.keys(columns),
  async readPage(cursor) {
    const page = { ...query, limit: MAX_LIMIT, ...(cursor !== undefined && { cursor }) }
    const { records, nextCursor } = await findRecordPage(db, ports, actor, page)
    const lines = records.map((record) => Object.values(columns).map((format) => format(record)))
    return { lines, nextCursor }
  },
})
