import { caseNumbers, redactedTexts, severities, wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import {
  inputField,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { actionNames } from './actions.ts'
import {
  actionList,
  commentText,
  evidenceLines,
  reasonText,
  searchText,
  statusList,
  valueText,
} from './codecs.ts'
import { getStatus } from './sanction.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const userIds = inputField(wire.platformIds, 'The player; a read accepts several')
const severity = inputField(
  wire.oneOf(severities),
  'By default `low` for note and warn, `medium` for kick and mute, `high` for ban',
)
const username = wire.text({ max: 100, example: 'Builderman' })

export const ModerationRequest = requestObject({
  workspaceId,
  userUsername: inputField(username, 'The name of the player at that time'),
  userId: userIds,
  reason: inputField(reasonText),
  severity,
  actorPlatformUserId: inputField(wire.platformId, 'The person an API key acts for'),
  actorUsername: inputField(username, 'The person an API key acts for'),
  durationSeconds: inputField(wire.duration, 'For mute and ban'),
  evidence: inputField(evidenceLines),
  id: inputField(wire.id, 'The record'),
  action: inputField(wire.oneOf(actionNames), 'The action; absent for a read'),
  value: inputField(
    valueText,
    'Seconds for `extend`, text for `comment`, lines for `evidence`. The comments and evidence of a record have at most 64 KiB in total',
  ),
})

export type ModerationInput = Static<typeof ModerationRequest>

const listFields = {
  workspaceId,
  banList: inputField(
    wire.boolean,
    '`true`: active bans; with `userId`, all on one page unless `limit` is set',
  ),
  banHistory: inputField(wire.boolean, '`true`: all bans, active or not'),
  actorUserId: inputField(wire.id, 'Only records created by this account or API key'),
  userId: userIds,
  severity: inputField(wire.oneOf(severities)),
  status: inputField(statusList),
  ...pageFields,
}

/** The query of a `POST`. */
export const ModerationQuery = requestObject(listFields)
export const ModerationReadQuery = requestObject({
  ...listFields,
  action: inputField(actionList, 'Only records of these actions'),
  from: inputField(wire.time, 'Only records created at or after this time'),
  to: inputField(wire.time, 'Only records created before this time'),
  text: inputField(
    searchText,
    'Only records whose reason, revoke reason or comments contain this text, ignoring case and accents',
  ),
  caseNumber: inputField(caseNumbers, 'Only these cases'),
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
    authorUsername: stringField('Its name, or the name of the person it acted for'),
    createdAt: stringField('When it was added', timeExample),
  },
  'A comment',
)

/** The fields of a record. @param items its comments and evidence, or their number */
const toRecordFields = <const Items extends TProperties>(items: Items) => ({
  id: stringField('Id of the record'),
  workspaceId: stringField('The workspace it belongs to'),
  caseNumber: stringField('1, 2, 3… in its workspace', '17'),
  action: stringField('`note`, `warn`, `kick`, `mute` or `ban`', 'ban'),
  userId: stringField('The player', wire.platformId.example),
  userUsername: nullableString('The name of the player at that time', username.example),
  reason: nullableString('Reason; null once redacted', reasonText.example),
  severity: stringField('`low`, `medium`, `high` or `critical`', 'high'),
  status: stringField('`active`, `expired`, `revoked` or `superseded` at the time of the request', 'active'),
  ...items,
  durationSeconds: nullableString('Duration from `createdAt`; null is permanent', wire.duration.example),
  expiresAt: nullableString('When it expires, in the year 9999 at the latest; null is never', timeExample),
  actorUserId: stringField('The account or API key that created it'),
  actorUsername: nullableString('Its name, or the name of the person it acted for'),
  actorPlatformUserId: nullableString('The person the API key acted for, as a user id of the game platform'),
  createdAt: stringField('When it was created', timeExample),
  updatedAt: stringField('When it was last changed', timeExample),
  acknowledgedAt: nullableString('When the player saw it'),
  revokedAt: nullableString('When it was lifted or revoked'),
  revokedBy: nullableString('The account or API key that lifted or revoked it'),
  revokeReason: nullableString('Why it was lifted or revoked'),
  redactedAt: nullableString('When its texts were permanently redacted'),
  sequence: stringField('The sequence number of its last change in the workspace', '42'),
  version: stringField('Grows with every change; for If-Match', '1'),
})

const recordFields = toRecordFields({
  evidence: Type.Array(Type.String(), { description: 'Links and observations' }),
  comments: Type.Array(Comment),
})

const ModerationRecord = responseObject(recordFields, 'A moderation record')

export type ModerationRecord = Static<typeof ModerationRecord>

const RecordSummary = responseObject(
  toRecordFields({
    evidenceCount: stringField('Number of pieces of evidence', '2'),
    commentCount: stringField('Number of comments', '1'),
  }),
  'A moderation record in a list, with the number of its comments and pieces of evidence; read it by its `id` to get their texts',
  'RecordSummary',
)

export type RecordSummary = Static<typeof RecordSummary>

const RecordVersion = responseObject(
  {
    ...recordFields,
    replacedAt: stringField('When the next version replaced it', timeExample),
    replacedBy: stringField('The account or API key that created the next version'),
  },
  'A record before a change',
)

export type RecordVersion = Static<typeof RecordVersion>

const nextCursor = nullableString('Pass as `cursor` to get the next page')
const searchedToCase = Type.Optional(
  Type.String({
    description:
      'Present if the page ends because enough records were examined: every case from this number on was. Continue with `nextCursor`',
    example: '812000',
  }),
)
const recordList = (label: string) => Type.Array(RecordSummary, { description: `${label}, newest first` })

export const RecordResponse = responseObject({ record: ModerationRecord }, 'The record')
export const ListResponse = Type.Union(
  [
    responseObject(
      { bans: recordList('Active bans'), nextCursor, searchedToCase },
      'Active bans; empty: not banned',
    ),
    responseObject({ history: recordList('Bans, active or not'), nextCursor, searchedToCase }, 'Ban history'),
    responseObject({ records: recordList('Records of every action'), nextCursor, searchedToCase }, 'Records'),
  ],
  { description: 'The requested list' },
)
export const RecordWithVersionsResponse = responseObject(
  {
    record: ModerationRecord,
    versions: Type.Array(RecordVersion, { description: 'Oldest first' }),
    nextCursor,
  },
  'The record and its earlier versions',
)

/** A comment as the `comments` column stores it. */
export interface StoredComment {
  readonly id: string
  readonly text: string
  readonly authorId: string
  readonly authorUsername: string
  readonly createdAt: number
}

export const parseEvidence = (row: RecordTable): string[] => JSON.parse(row.evidence)
export const parseComments = (row: Pick<RecordTable, 'comments'>): StoredComment[] => JSON.parse(row.comments)

/** A row without the texts that lists do not contain. */
export type SummaryRow = Omit<RecordTable, 'evidence' | 'comments'>

/** Converts a row to its API form. @param now epoch milliseconds, for the status */
export const presentRecord = (row: RecordTable, now: number): ModerationRecord =>
  presentFields(row, now, {
    evidence: parseEvidence(row),
    comments: parseComments(row).map((comment) => ({
      ...comment,
      createdAt: wire.time.write(comment.createdAt),
    })),
  })

/** Converts a row to an item of a list. @param now as in `presentRecord` */
export const presentSummary = (row: SummaryRow, now: number): RecordSummary =>
  presentFields(row, now, {
    evidenceCount: String(row.evidence_count),
    commentCount: String(row.comment_count),
  })

const presentFields = <Items>(row: SummaryRow, now: number, items: Items) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  caseNumber: String(row.case_number),
  action: row.action,
  userId: row.user_id,
  userUsername: row.user_username,
  reason: row.reason,
  severity: row.severity,
  status: getStatus(row, now),
  ...items,
  durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
  expiresAt: wire.writeNullableTime(row.expires_at),
  actorUserId: row.actor_id,
  actorUsername: row.actor_username,
  actorPlatformUserId: row.actor_platform_user_id,
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  acknowledgedAt: wire.writeNullableTime(row.acknowledged_at),
  revokedAt: wire.writeNullableTime(row.revoked_at),
  revokedBy: row.revoked_by,
  revokeReason: row.revoke_reason,
  redactedAt: wire.writeNullableTime(row.redacted_at),
  sequence: String(row.sequence),
  version: String(row.version),
})

export const toEvidenceColumns = (items: readonly string[]) => ({
  evidence: JSON.stringify(items),
  evidence_count: items.length,
})

export const toCommentColumns = (items: readonly StoredComment[]) => ({
  comments: JSON.stringify(items),
  comment_count: items.length,
})

/** The columns of the fields that a change sets; a field that is absent sets none. */
export const toRecordColumns = ({
  reason,
  severity,
  evidence,
  userUsername,
}: Pick<ModerationInput, 'reason' | 'severity' | 'evidence' | 'userUsername'>) => ({
  ...(reason !== undefined && { reason }),
  ...(severity !== undefined && { severity }),
  ...(evidence !== undefined && toEvidenceColumns(evidence)),
  ...(userUsername !== undefined && { user_username: userUsername || null }),
})

/** A row without the texts that a redaction removes. */
export const redactRow = (row: RecordTable): RecordTable => ({ ...row, ...redactedTexts })
