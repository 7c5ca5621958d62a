import { blankTexts, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { answer, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { actionWords } from './actions.ts'
import { statuses, statusOf } from './force.ts'
import { commentText, evidenceLines, reasonText, severities, valueText } from './texts.ts'

const workspaceId = field(wire.id, 'The workspace; in query or body')
const players = field(wire.platformIds, 'The player; a read may name several')
const severity = field(
  wire.oneOf(severities),
  'By default `low` for note and warn, `medium` for kick and mute, `high` for ban',
)
const username = wire.text({ max: 100, example: 'Builderman' })

export const ModerationRequest = request({
  workspaceId,
  userUsername: field(username, 'The name of the player at the time'),
  userId: players,
  reason: field(reasonText),
  severity,
  actorPlatformUserId: field(wire.platformId, 'On whose behalf an API key acts'),
  actorUsername: field(username, 'On whose behalf an API key acts'),
  durationSeconds: field(wire.duration, 'For mute and ban'),
  evidence: field(evidenceLines),
  id: field(wire.id, 'The record'),
  action: field(wire.oneOf(actionWords), 'What to do; absent for a read'),
  value: field(valueText, 'Seconds for `extend`, text for `comment`, lines for `evidence`'),
})

export type ModerationInput = Static<typeof ModerationRequest>

const listFields = {
  workspaceId,
  banList: field(
    wire.boolean,
    '`true`: the bans in force now; those of named players come on one page unless `limit` says otherwise',
  ),
  banHistory: field(wire.boolean, '`true`: bans and lifts, in force or not'),
  actorUserId: field(wire.id, 'Only what this account or API key recorded'),
  userId: players,
  severity: field(wire.oneOf(severities)),
  status: field(wire.oneOf(statuses)),
  ...pageFields,
}

/** The query of endpoint 1. */
export const ModerationQuery = request(listFields)
export const ModerationReadQuery = request({
  ...listFields,
  id: field(wire.id, 'One record with its earlier versions, instead of a list'),
})

export type ModerationQueryInput = Static<typeof ModerationQuery>
export type ModerationReadQueryInput = Static<typeof ModerationReadQuery>

const at = wire.time.example

const Comment = answer(
  {
    id: shown('Id of the comment'),
    text: shown(commentText.description),
    authorId: shown('The account or API key'),
    authorUsername: shown('Its name, or the name it gave'),
    createdAt: shown('When it was added', at),
  },
  'A comment',
)

const recordFields = {
  id: shown('Id of the record'),
  workspaceId: shown('The workspace it belongs to'),
  caseNumber: shown('1, 2, 3… in its workspace', '17'),
  action: shown('`note`, `warn`, `kick`, `mute` or `ban`', 'ban'),
  userId: shown('The player', wire.platformId.example),
  userUsername: shownOrNull('The name of the player at the time', username.example),
  reason: shownOrNull('Why; null once redacted', reasonText.example),
  severity: shown('`low`, `medium`, `high` or `critical`', 'high'),
  status: shown('`active`, `expired`, `revoked` or `superseded`, true at the moment of reading', 'active'),
  evidence: Type.Array(Type.String(), { description: 'Links and observations' }),
  comments: Type.Array(Comment),
  durationSeconds: shownOrNull('How long from `createdAt` on; null is without end', wire.duration.example),
  expiresAt: shownOrNull('When it ends by itself, in the year 9999 at the latest; null is never', at),
  actorUserId: shown('The account or API key that recorded it'),
  actorUsername: shownOrNull('Its name, or the name it gave'),
  actorPlatformUserId: shownOrNull('On whose behalf, as a user id of the game platform'),
  createdAt: shown('When it was recorded', at),
  updatedAt: shown('When it was last changed', at),
  acknowledgedAt: shownOrNull('When the player had seen it'),
  revokedAt: shownOrNull('When it was lifted or taken back'),
  revokedBy: shownOrNull('The account or API key that lifted it or took it back'),
  revokeReason: shownOrNull('Why it was lifted or taken back'),
  redactedAt: shownOrNull('When its texts were blanked for good'),
  sequence: shown('The number of its last change among all changes in the workspace', '42'),
  version: shown('Grows with every change; for If-Match', '1'),
}

const Record = answer(recordFields, 'A moderation record')

export type ShownRecord = Static<typeof Record>

const RecordVersion = answer(
  {
    ...recordFields,
    replacedAt: shown('When the next version took its place', at),
    replacedBy: shown('The account or API key that made the next version'),
  },
  'A record as it stood before a change',
)

export type ShownVersion = Static<typeof RecordVersion>

const nextCursor = shownOrNull('Give it as `cursor` for the next page')
const newestFirst = (what: string) => Type.Array(Record, { description: `${what}, newest first` })

export const RecordAnswer = answer({ record: Record }, 'The record')
export const ListAnswer = Type.Union(
  [
    answer({ bans: newestFirst('The bans in force now'), nextCursor }, 'Bans in force; empty: not banned'),
    answer({ history: newestFirst('Bans, in force or not'), nextCursor }, 'Ban history'),
    answer({ records: newestFirst('Records of every kind'), nextCursor }, 'Records'),
  ],
  { description: 'What was asked for' },
)
export const RecordWithVersionsAnswer = answer(
  { record: Record, versions: Type.Array(RecordVersion, { description: 'Oldest first' }), nextCursor },
  'The record and its earlier versions',
)

/** A comment as a row keeps it. */
export interface StoredComment {
  readonly id: string
  readonly text: string
  readonly authorId: string
  readonly authorUsername: string
  readonly createdAt: number
}

export const evidenceIn = (row: RecordTable): string[] => JSON.parse(row.evidence)
export const commentsIn = (row: RecordTable): StoredComment[] => JSON.parse(row.comments)

const timeOrNull = (time: number | null): string | null => (time === null ? null : wire.time.write(time))

/** A row as the interface shows it at `now`. */
export const shownRecord = (row: RecordTable, now: number): ShownRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  caseNumber: String(row.case_number),
  action: row.action,
  userId: row.user_id,
  userUsername: row.user_username,
  reason: row.reason,
  severity: row.severity,
  status: statusOf(row, now),
  evidence: evidenceIn(row),
  comments: commentsIn(row).map((one) => ({ ...one, createdAt: wire.time.write(one.createdAt) })),
  durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
  expiresAt: timeOrNull(row.expires_at),
  actorUserId: row.actor_id,
  actorUsername: row.actor_username,
  actorPlatformUserId: row.actor_platform_user_id,
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  acknowledgedAt: timeOrNull(row.acknowledged_at),
  revokedAt: timeOrNull(row.revoked_at),
  revokedBy: row.revoked_by,
  revokeReason: row.revoke_reason,
  redactedAt: timeOrNull(row.redacted_at),
  sequence: String(row.sequence),
  version: String(row.version),
})

/** A row without the texts that a redaction blanks. */
export const withoutTexts = (row: RecordTable): RecordTable => ({ ...row, ...blankTexts })

/** The same of a record as it was shown. */
export const shownWithoutTexts = (record: ShownRecord): ShownRecord => ({
  ...record,
  reason: null,
  evidence: [],
  comments: [],
  revokeReason: null,
})
