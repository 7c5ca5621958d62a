import { type AppealState, appealStates, fileNameCodec, MAX_APPEAL_FILE_BYTES, wire } from '@reeve/core'
import type { AppealTable } from '@reeve/db'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { base64Codec } from '../base64-codec.ts'
import { answerList, appealCode, appealText } from './codecs.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const time = wire.time.example

/** What a player, or a game for a player, can do. */
export const playerActions = ['submit', 'reply', 'withdraw'] as const

export const AppealQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  code: inputField(appealCode),
})
export const AppealRequest = requestObject({
  workspaceId,
  action: inputField(wire.oneOf(playerActions), '`submit` by default'),
  code: inputField(appealCode),
  message: inputField(appealText, 'What the player writes; for `submit` and `reply`'),
  answers: inputField(answerList, 'For `submit`'),
})
export type AppealInput = Static<typeof AppealRequest>
export const AppealFileRequest = requestObject({
  workspaceId,
  code: inputField(appealCode),
  name: inputField(fileNameCodec),
  data: inputField(base64Codec('The file', MAX_APPEAL_FILE_BYTES)),
})

export const stateField = stringField(
  `One of ${appealStates.map((state) => `\`${state}\``).join(', ')}`,
  'submitted',
)

export const Answer = responseObject(
  { question: stringField('The question'), answer: stringField('What the player answered') },
  'An answer to a question of the form',
  'AppealAnswer',
)
export const Question = responseObject(
  {
    text: stringField('The question', 'Why were you banned?'),
    required: stringField('`true` if it must be answered', 'true'),
  },
  'A question of the form',
  'AppealQuestion',
)
export const PublicMessage = responseObject(
  {
    id: stringField('Id of the message'),
    from: stringField('`player` or `staff`', 'staff'),
    text: stringField('The message', appealText.example),
    createdAt: stringField('When it was written', time),
  },
  'A message that the player may read',
  'AppealMessage',
)
const PublicFile = responseObject(
  {
    name: stringField('Its name', 'screenshot.png'),
    size: stringField('Its size in bytes', '48213'),
    createdAt: stringField('When it was sent', time),
  },
  'A file that the player has sent',
  'AppealFile',
)
const PublicAppeal = responseObject(
  {
    id: stringField('Id of the appeal'),
    state: stateField,
    submittedAt: stringField('When it was submitted', time),
    updatedAt: stringField('When it was last changed', time),
    decidedAt: nullableString('When it was decided', time),
    effect: nullableString('What the decision did, as a sentence', 'The ban is lifted.'),
    final: stringField('`true` if a denial is the last word', 'false'),
    canReply: stringField('`true` while the player can write and withdraw', 'true'),
    answers: Type.Array(Answer),
    messages: Type.Array(PublicMessage, { description: 'Oldest first' }),
    files: Type.Array(PublicFile, { description: 'Oldest first' }),
    filesLeft: stringField('How many files the player can still send', '5'),
  },
  'An appeal as the player sees it',
  'PublicAppeal',
)

export const PlayerAppealResponse = responseObject(
  {
    ban: responseObject(
      {
        appealCode: stringField('The code', appealCode.example),
        userId: stringField('The player', wire.platformId.example),
        userUsername: nullableString('The name of the player at that time', 'Builderman'),
        reason: nullableString('Why the player is banned, as the player reads it', 'Exploiting'),
        status: stringField('`active`, `expired`, `revoked` or `superseded`', 'active'),
        createdAt: stringField('When the player was banned', time),
        expiresAt: nullableString('When the ban ends; null is never', time),
      },
      'The ban',
      'AppealedBan',
    ),
    canAppeal: stringField('`true` if an appeal can be submitted now', 'true'),
    obstacle: nullableString(
      'Otherwise the `code` of the error that submitting would have',
      'already_appealed',
    ),
    obstacleMessage: nullableString('The same for people'),
    appealableFrom: nullableString('From when the ban can be appealed; null is from the beginning', time),
    appealableUntil: nullableString('Until when; null is without a limit', time),
    form: responseObject(
      {
        introduction: nullableString('What players read above the form'),
        questions: Type.Array(Question),
      },
      'What to ask the player',
      'AppealForm',
    ),
    appeal: Type.Union([PublicAppeal, Type.Null()], {
      nullable: true,
      description: 'The latest appeal of this ban; null if there was none',
    }),
  },
  'A ban and its latest appeal, as the player sees them',
)
export type PlayerAppeal = Static<typeof PlayerAppealResponse>

/** Converts a row to its API form. @param state at the time of reading */
export const presentAppeal = (row: AppealTable, state: AppealState) => ({
  id: row.id,
  recordId: row.record_id,
  caseNumber: String(row.case_number),
  userId: row.user_id,
  userUsername: row.user_username,
  state,
  submittedAt: wire.time.write(row.submitted_at),
  updatedAt: wire.time.write(row.updated_at),
  // A job marks an appeal as closed some time after its ban has expired.
  closedAt: wire.writeNullableTime(row.closed_at ?? (state === 'expired' ? row.ban_expires_at : null)),
  decidedAt: wire.writeNullableTime(row.decided_at),
  effect: row.effect,
  final: String(row.is_final === 1),
  banExpiresAt: wire.writeNullableTime(row.ban_expires_at),
  messageCount: String(row.message_count),
  version: String(row.version),
})

/** What the audit log has of an appeal: no message and no answer. */
export const presentAppealForAudit = (row: AppealTable) => ({
  ...presentAppeal(row, row.state),
  decidedBy: row.decided_by,
  nextAppealAt: wire.writeNullableTime(row.next_appeal_at),
})
