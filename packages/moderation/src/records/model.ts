import { redactedTexts, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import {
  formatNullableTime,
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { actionNames } from './actions.ts'
import { commentText, evidenceLines, reasonText, severities, valueText } from './codecs.ts'
import { getStatus, statuses } from './sanction.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const userIds = inputField(wire.platformIds, 'The player; a read may name several')
const severity = inputField(
  wire.oneOf(severities),
  'By default `low` for note and warn, `medium` for kick and mute, `high` for ban',
)
const username = wire.text({ max: 100, example: 'Builderman' })

export const ModerationRequest = requestObject({
  workspaceId,
  userUsername: inputField(username, 'The name of the player at the time'),
  userId: userIds,
  reason: inputField(reasonText),
  severity,
  actorPlatformUserId: inputField(wire.platformId, 'On whose behalf an API key acts'),
  actorUsername: inputField(username, 'On whose behalf an API key acts'),
  durationSeconds: inputField(wire.duration, 'For mute and ban'),
  evidence: inputField(evidenceLines),
  id: inputField(wire.id, 'The record'),
  action: inputField(wire.oneOf(actionNames), 'What to do; absent for a read'),
  value: inputField(valueText, 'Seconds for `extend`, text for `comment`, lines for `evidence`'),
})

export type ModerationInput = Static<typeof ModerationRequest>

const listFields = {
  workspaceId,
  banList: inputField(
    wire.boolean,
    '`true`: the bans in force now; those of named players come on one page unless `limit` says otherwise',
  ),
  banHistory: inputField(wire.boolean, '`true`: bans and lifts, in force or not'),
  actorUserId: inputField(wire.id, 'Only what this account or API key recorded'),
  userId: userIds,
  severity: inputField(wire.oneOf(severities)),
  status: inputField(wire.oneOf(statuses)),
  ...pageFields,
}

/** The query of endpoint 1. */
export const ModerationQuery = requestObject(listFields)
export const ModerationReadQuery = requestObject({
  ...listFields,
  id: inputField(wire.id, 'One record with its earlier versions, instead of a list'),
})

export type ModerationQueryInput = Static<typeof ModerationQuery>
export type ModerationReadQueryInput = Static<typeof ModerationReadQuery>

const timeExample = wire.time.example

const Comment = responseObject(
  {
    id: stringField('Id of the comment'),
    text: stringField(commentText.description),
    authorId: stringField('The account or API key'),
    authorUsername: stringField('Its name, or the name it gave'),
    createdAt: stringField('When it was added', timeExample),
  },
  'A comment',
)

const recordFields = {
  id: stringField('Id of the record'),
  workspaceId: stringField('The workspace it belongs to'),
  caseNumber: stringField('1, 2, 3… in its workspace', '17'),
  action: stringField('`note`, `warn`, `kick`, `mute` or `ban`', 'ban'),
  userId: stringField('The player', wire.platformId.example),
  userUsername: nullableString('The name of the player at the time', username.example),
  reason: nullableString('Why; null once redacted', reasonText.example),
  severity: stringField('`low`, `medium`, `high` or `critical`', 'high'),
  status: stringField(
    '`active`, `expired`, `revoked` or `superseded`, true at the moment of reading',
    'active',
  ),
  evidence: Type.Array(Type.String(), { description: 'Links and observations' }),
  comments: Type.Array(Comment),
  durationSeconds: nullableString('How long from `createdAt` on; null is without end', wire.duration.example),
  expiresAt: nullableString(
    'When it ends by itself, in the year 9999 at the latest; null is never',
    timeExample,
  ),
  actorUserId: stringField('The account or API key that recorded it'),
  actorUsername: nullableString('Its name, or the name it gave'),
  actorPlatformUserId: nullableString('On whose behalf, as a user id of the game platform'),
  createdAt: stringField('When it was recorded', timeExample),
  updatedAt: stringField('When it was last changed', timeExample),
  acknowledgedAt: nullableString('When the player had seen it'),
  revokedAt: nullableString('When it was lifted or taken back'),
  revokedBy: nullableString('The account or API key that lifted it or took it back'),
  revokeReason: nullableString('Why it was lifted or taken back'),
  redactedAt: nullableString('When its texts were blanked for good'),
  sequence: stringField('The number of its last change among all changes in the workspace', '42'),
  version: stringField('Grows with every change; for If-Match', '1'),
}

const ModerationRecord = responseObject(recordFields, 'A moderation record')

export type ModerationRecord = Static<typeof ModerationRecord>

const RecordVersion = responseObject(
  {
    ...recordFields,
    replacedAt: stringField('When the next version took its place', timeExample),
    replacedBy: stringField('The account or API key that made the next version'),
  },
  'A record as it stood before a change',
)

export type RecordVersion = Static<typeof RecordVersion>

const nextCursor = nullableString('Give it as `cursor` for the next page')
const recordList = (label: string) => Type.Array(ModerationRecord, { description: `${label}, newest first` })

export const RecordResponse = responseObject({ record: ModerationRecord }, 'The record')
export const ListResponse = Type.Union(
  [
    responseObject(
      { bans: recordList('The bans in force now'), nextCursor },
      'Bans in force; empty: not banned',
    ),
    responseObject({ history: recordList('Bans, in force or not'), nextCursor }, 'Ban history'),
    responseObject({ records: recordList('Records of every kind'), nextCursor }, 'Records'),
  ],
  { description: 'What was asked for' },
)
export const RecordWithVersionsResponse = responseObject(
  {
    record: ModerationRecord,
    versions: Type.Array(RecordVersion, { description: 'Oldest first' }),
    nextCursor,
  },
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

export const parseEvidence = (row: RecordTable): string[] => JSON.parse(row.evidence)
export const parseComments = (row: RecordTable): StoredComment[] => JSON.parse(row.comments)

/** A row as the interface shows it at `now`. */
export const presentRecord = (row: RecordTable, now: number): ModerationRecord => ({
  id: row.id,
  workspaceId: row.workspace_id,
  caseNumber: String(row.case_number),
  action: row.action,
  userId: row.user_id,
  userUsername: row.user_username,
  reason: row.reason,
  severity: row.severity,
  status: getStatus(row, now),
  evidence: parseEvidence(row),
  comments: parseComments(row).map((comment) => ({
    ...comment,
    createdAt: wire.time.write(comment.createdAt),
  })),
  durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
  expiresAt: formatNullableTime(row.expires_at),
  actorUserId: row.actor_id,
  actorUsername: row.actor_username,
  actorPlatformUserId: row.actor_platform_user_id,
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  acknowledgedAt: formatNullableTime(row.acknowledged_at),
  revokedAt: formatNullableTime(row.revoked_at),
  revokedBy: row.revoked_by,
  revokeReason: row.revoke_reason,
  redactedAt: formatNullableTime(row.redacted_at),
  sequence: String(row.sequence),
  version: String(row.version),
})

/** A row without the texts that a redaction blanks. */
export const redactRow = (row: RecordTable): RecordTable => ({ ...row, ...redactedTexts })

/** The same of a record as it was shown. */
export const redactSnapshot = (record: ModerationRecord): ModerationRecord => ({
  ...record,
  reason: null,
  evidence: [],
  comments: [],
  revokeReason: null,
})
