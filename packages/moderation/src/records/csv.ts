import type { Actor, Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { CSV_PAGE_ROWS, type CsvFile, requestObject } from '@reeve/http'
import type { RecordSummary } from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { findRecordPage } from './read.ts'
import { ModerationReadQuery } from './requests.ts'

const { id: _, limit: __, cursor: ___, asOf: ____, links: _____, ...filters } = ModerationReadQuery.properties

/** The filters of the lists, without paging: a file contains every page. */
export const ModerationCsvQuery = requestObject(filters)

/** The columns of a CSV file of records, in order. */
const columns = {
  caseNumber: (record) => record.caseNumber,
  action: (record) => record.action,
  status: (record) => record.status,
  severity: (record) => record.severity,
  userId: (record) => record.userId,
  userUsername: (record) => record.userUsername,
  reason: (record) => record.reason,
  evidenceCount: (record) => record.evidenceCount,
  evidenceFileCount: (record) => record.evidenceFileCount,
  commentCount: (record) => record.commentCount,
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
  revokedByUsername: (record) => record.revokedByUsername,
  revokedByPlatformUserId: (record) => record.revokedByPlatformUserId,
  revokeReason: (record) => record.revokeReason,
  redactedAt: (record) => record.redactedAt,
  occurredAt: (record) => record.occurredAt,
  originalModerator: (record) => record.originalModerator,
  source: (record) => record.source,
  sourceId: (record) => record.sourceId,
  templateId: (record) => record.templateId,
  templateVersion: (record) => record.templateVersion,
  step: (record) => record.step,
  publicReason: (record) => record.publicReason,
  id: (record) => record.id,
} as const satisfies Record<string, (record: RecordSummary) => string | null>

const FILE_NAMES = { bans: 'bans', history: 'ban-history', records: 'records' } as const

/** The records of a list as a CSV file, newest first. */
export const createRecordsCsv = (
  db: Queries,
  ports: Pick<Ports, 'now'>,
  actor: Actor,
  query: ListQuery,
): CsvFile => ({
  name: FILE_NAMES[query.list],
  createdAt: ports.now(),
  header: Object.keys(columns),
  async readPage(cursor) {
    const page = { ...query, limit: CSV_PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
    const { records, nextCursor } = await findRecordPage(db, ports, actor, page)
    const lines = records.map((record) => Object.values(columns).map((format) => format(record)))
    return { lines, nextCursor }
  },
})
