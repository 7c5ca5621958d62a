import { wire } from '@reeve/core'
import type { RecordTable } from '@reeve/db'
import { nextCursor, nullableString, responseObject, stringField } from '@reeve/http'
import { type Static, type TProperties, Type } from '@sinclair/typebox'
import type { NextAppeal } from '../appeals/next-appeal.ts'
import { formatPlayerMessage, presentAppealCode, presentStoredAppealCode } from '../appeals/player-message.ts'
import { Approval } from '../approvals/approval.ts'
import type { PendingApproval } from '../approvals/store.ts'
import { EvidenceFile, parseEvidenceFiles, presentEvidenceFile } from '../evidence-files/stored-files.ts'
import { LinkedPlayer } from '../links/model.ts'
import { commentText, reasonText } from './codecs.ts'
import { parseComments, parseEvidence } from './columns.ts'
import { importedFields, presentImportedFields } from './imported-fields.ts'
import { username } from './requests.ts'
import { getStatus } from './sanction.ts'

const timeExample = wire.time.example

const Comment = responseObject(
  {
    id: stringField('Id of the comment'),
    text: stringField(`${commentText.description}. \`<@id>\` mentions the account with this id`),
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
  userId: stringField('The player', wire.playerId.example),
  userUsername: nullableString('The name of the player at that time', username.example),
  reason: nullableString('Reason; null once redacted', reasonText.example),
  severity: stringField('`low`, `medium`, `high` or `critical`', 'high'),
  status: stringField('`active`, `expired`, `revoked` or `superseded` at the time of the request', 'active'),
  ...items,
  durationSeconds: nullableString(
    'Duration from `createdAt`; of an imported record from `occurredAt`, until its end is changed here; null is permanent',
    wire.duration.example,
  ),
  expiresAt: nullableString('When it expires, in the year 9999 at the latest; null is never', timeExample),
  actorUserId: stringField('The account or API key that created it'),
  actorUsername: nullableString('Its name, or the name of the person it acted for'),
  actorPlatformUserId: nullableString('The person the API key acted for, as a user id of the game platform'),
  createdAt: stringField('When it was created', timeExample),
  updatedAt: stringField('When it was last changed', timeExample),
  acknowledgedAt: nullableString('When the player saw it'),
  revokedAt: nullableString('When it was lifted or revoked'),
  revokedBy: nullableString('The account or API key that lifted or revoked it'),
  revokedByUsername: nullableString(
    'Its name, or the name of the person it acted for; null if that was before Reeve stored it',
  ),
  revokedByPlatformUserId: nullableString(
    'The person the API key acted for, as a user id of the game platform',
  ),
  revokeReason: nullableString('Why it was lifted or revoked'),
  redactedAt: nullableString('When its texts were permanently redacted'),
  ...importedFields,
  appealCode: nullableString(
    'The code with which the player appeals a ban; null if it cannot be appealed',
    '7K3M9-Q9TX2',
  ),
  appealableFrom: nullableString(
    'From when a ban can be appealed, as decided when it was imposed; null if at once, or if it cannot be appealed',
  ),
  appealableUntil: nullableString('Until when; null without a limit, or if it cannot be appealed'),
  templateId: nullableString('The template that it was created with'),
  templateVersion: nullableString('The version of the template at that time', '1'),
  ladderId: nullableString('The ladder of that version of the template, in which the record counts'),
  ladderVersion: nullableString('The version of the ladder at that time', '1'),
  step: nullableString(
    'The step of the ladder that applied, from 1; the moderator may have chosen another action',
    '2',
  ),
  countsUntil: nullableString('When it decays in the ladder; null if it counts for the whole window'),
  publicReason: nullableString('What the player reads instead of `reason`; null without a template'),
  sequence: stringField('The sequence number of its last change in the workspace', '42'),
  version: stringField('Grows with every change; for If-Match', '1'),
})

const recordFields = toRecordFields({
  evidence: Type.Array(Type.String(), { description: 'Links and observations' }),
  evidenceFiles: Type.Array(EvidenceFile, {
    description: 'Pictures, videos and documents, which the portal shows to those with `moderation.evidence`',
  }),
  comments: Type.Array(Comment),
})

const message = nullableString(
  'Ready-made text for the player: what, until when, why, and how to appeal, if that is possible. Null for notes, and for what is no longer in force',
  'You are banned permanently. Reason: Exploiting. You can appeal. Appeal code: 7K3M9-Q9TX2',
)

const ModerationRecord = responseObject({ ...recordFields, message }, 'A moderation record')

export type ModerationRecord = Static<typeof ModerationRecord>

const RecordSummary = responseObject(
  toRecordFields({
    evidenceCount: stringField('Number of pieces of evidence', '2'),
    evidenceFileCount: stringField('Number of evidence files', '1'),
    commentCount: stringField('Number of comments', '1'),
    message,
    // Always present: with an optional field, the validation of each item looks for every one of its names.
    waitsForApproval: nullableString(
      'Whether this is a ban that ends by itself unless another person approves it; `null` as of an earlier time',
      'false',
    ),
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

const searchedToCase = Type.Optional(
  Type.String({
    description:
      'Present if the page ends because enough records were examined: every case from this number on was. Continue with `nextCursor`',
    example: '812000',
  }),
)
const recordList = (label: string) => Type.Array(RecordSummary, { description: `${label}, newest first` })

export const RecordResponse = responseObject(
  { record: ModerationRecord, approval: Type.Optional(Approval) },
  'The record, and the request for approval of a ban that needs one',
)
export const ListResponse = Type.Union(
  [
    responseObject(
      {
        bans: recordList('Active bans'),
        nextCursor,
        searchedToCase,
        linkedTo: Type.Optional(
          Type.Array(LinkedPlayer, { description: 'Present if `links` is `true`: never a ban by itself' }),
        ),
      },
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
    approval: Type.Optional(Approval),
    versions: Type.Array(RecordVersion, { description: 'Oldest first' }),
    nextCursor,
  },
  'The record and its earlier versions',
)

/** A row without the texts that lists do not contain. */
export type SummaryRow = Omit<RecordTable, 'evidence' | 'evidence_files' | 'comments'>

/** A row of a list, with what other tables say about it. */
export type ListedRow = SummaryRow & NextAppeal & PendingApproval

/** What the player is told. */
const presentPlayerFields = (row: SummaryRow & NextAppeal, now: number) => ({
  appealCode: presentAppealCode(row),
  message: getStatus(row, now) === 'active' ? formatPlayerMessage(row.action, row, now) : null,
})

/** Converts a row to its API form. @param now epoch milliseconds, for the status */
export const presentRecord = (row: RecordTable & NextAppeal, now: number): ModerationRecord => ({
  ...presentStoredRecord(row, now),
  ...presentPlayerFields(row, now),
})

/** A record without what follows from its other fields: for the audit log. @param now as in `presentRecord` */
export const presentStoredRecord = (row: RecordTable, now: number): Omit<ModerationRecord, 'message'> =>
  presentFields(row, now, {
    evidence: parseEvidence(row),
    evidenceFiles: parseEvidenceFiles(row).map(presentEvidenceFile),
    comments: parseComments(row).map((comment) => ({
      ...comment,
      createdAt: wire.time.write(comment.createdAt),
    })),
  })

/** Converts a row to an item of a list. @param now as in `presentRecord` @param userId as the request names the player */
export const presentSummary = (row: ListedRow, now: number, userId: string): RecordSummary => ({
  ...presentFields(row, now, {
    evidenceCount: String(row.evidence_count),
    evidenceFileCount: String(row.evidence_file_count),
    commentCount: String(row.comment_count),
  }),
  userId,
  ...presentPlayerFields(row, now),
  waitsForApproval: row.waits_for_approval === null ? null : String(row.waits_for_approval === 1),
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
  revokedByUsername: row.revoked_by_username,
  revokedByPlatformUserId: row.revoked_by_platform_user_id,
  revokeReason: row.revoke_reason,
  redactedAt: wire.writeNullableTime(row.redacted_at),
  ...presentImportedFields(row),
  appealCode: presentStoredAppealCode(row),
  appealableFrom: wire.writeNullableTime(row.appeal_from),
  appealableUntil: wire.writeNullableTime(row.appeal_until),
  templateId: row.template_id,
  templateVersion: row.template_version === null ? null : String(row.template_version),
  ladderId: row.ladder_id,
  ladderVersion: row.ladder_version === null ? null : String(row.ladder_version),
  step: row.step === null ? null : String(row.step),
  countsUntil: wire.writeNullableTime(row.counts_until),
  publicReason: row.public_reason,
  sequence: String(row.sequence),
  version: String(row.version),
})
