import { appealDecisions, appealStates, MAX_APPEAL_TEXT, wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableInput,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { EvidenceFile } from '../evidence-files/stored-files.ts'
import { appealText, questionList } from './codecs.ts'
import { Answer, PublicMessage, Question, stateField } from './model.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')
const appealId = inputField(wire.id, 'The appeal')
const time = wire.time.example

/** Which appeals the portal lists: those that are open, oldest first, or newest first those in a state, or all. */
const listFilters = ['open', 'all', ...appealStates] as const
export type AppealFilter = (typeof listFilters)[number]

export const AppealsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  state: inputField(wire.oneOf(listFilters), '`open` by default'),
  userId: inputField(wire.playerId, 'Only those of this player'),
  mine: inputField(wire.boolean, '`true`: only those that the reader has claimed'),
  ...pageFields,
})
export type AppealsInput = Static<typeof AppealsQuery>

export const SingleAppealQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: appealId,
})
export const AppealIdRequest = requestObject({ workspaceId, id: appealId })
export const StaffMessageRequest = requestObject({
  workspaceId,
  id: appealId,
  text: inputField(appealText),
  internal: inputField(wire.boolean, '`false` shows it to the player; `true` by default'),
})
export type StaffMessageInput = Static<typeof StaffMessageRequest>
export const DecisionRequest = requestObject({
  workspaceId,
  id: appealId,
  decision: inputField(wire.oneOf(appealDecisions)),
  message: inputField(wire.text({ max: MAX_APPEAL_TEXT, multiline: true }), 'What the player reads'),
  durationSeconds: inputField(wire.duration, 'For `reduced`: the new duration from the beginning of the ban'),
  final: inputField(wire.boolean, 'For `denied`: whether the ban cannot be appealed again'),
})
export type DecisionInput = Static<typeof DecisionRequest>
export const StatisticsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  days: inputField(wire.integer({ min: 1, max: 366, example: '90' }), 'The time to look back; 90 by default'),
})
const days = (max: number) => wire.integer({ min: 0, max, example: '0' })
export const AppealSettingsRequest = requestObject({
  workspaceId,
  enabled: inputField(wire.boolean, 'Whether bans can be appealed'),
  afterDays: inputField(days(365), 'Days after the ban from which it can be appealed'),
  windowDays: nullableInput(
    wire.integer({ min: 1, max: 3650, example: '90' }),
    'For how many days from then on; null without a limit',
  ),
  cooldownDays: inputField(days(365), 'Days after a denial until the next appeal'),
  allowOwnDecision: inputField(wire.boolean, 'Whether the person who banned may decide'),
  allowFiles: inputField(wire.boolean, 'Whether players can send files with an appeal'),
  introduction: inputField(wire.text({ max: 1000, multiline: true }), 'What players read above the form'),
  questions: inputField(questionList),
})
export type AppealSettingsInput = Static<typeof AppealSettingsRequest>
export const AppealSettingsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

const account = (description: string) =>
  Type.Union(
    [
      responseObject(
        {
          id: stringField('The account or API key'),
          username: stringField('Its name; empty once it was blanked'),
        },
        description,
        'AppealStaff',
      ),
      Type.Null(),
    ],
    {
      nullable: true,
      description,
    },
  )
const Claim = responseObject(
  {
    accountId: stringField('Who works on it'),
    username: stringField('The name of the account', 'robin'),
    expiresAt: stringField('When the claim ends unless it is renewed', time),
  },
  'Who works on an appeal',
  'AppealClaim',
)
const summaryFields = {
  id: stringField('Id of the appeal'),
  recordId: stringField('The ban'),
  caseNumber: stringField('Its case number', '17'),
  userId: stringField('The player', wire.platformId.example),
  userUsername: nullableString('The name of the player at that time', 'Builderman'),
  state: stateField,
  submittedAt: stringField('When it was submitted', time),
  updatedAt: stringField('When it was last changed', time),
  closedAt: nullableString('When it was decided, withdrawn, or lost its ban', time),
  decidedAt: nullableString('When staff decided it', time),
  effect: nullableString('What the decision did, as a sentence', 'The ban is lifted.'),
  final: stringField('`true` if a denial is the last word', 'false'),
  banExpiresAt: nullableString('When the ban ends; null is never', time),
  messageCount: stringField('Number of messages', '1'),
  version: stringField('Grows with every change; for If-Match', '1'),
}
const AppealSummary = responseObject(
  {
    ...summaryFields,
    decidedBy: account('Who decided it'),
    claim: Type.Union([Claim, Type.Null()], { nullable: true, description: 'Null if nobody works on it' }),
  },
  'An appeal',
  'AppealSummary',
)
export type AppealSummary = Static<typeof AppealSummary>
export const AppealsResponse = responseObject(
  {
    appeals: Type.Array(AppealSummary),
    nextCursor,
  },
  'A page of appeals',
)
export const AppealResponse = responseObject(
  {
    appeal: AppealSummary,
    ban: responseObject(
      {
        reason: nullableString('The reason that staff wrote'),
        publicReason: nullableString('The reason as the player reads it'),
        status: stringField('`active`, `expired`, `revoked` or `superseded`', 'active'),
        createdAt: stringField('When the player was banned', time),
        expiresAt: nullableString('When the ban ends; null is never', time),
        appealableUntil: nullableString('Until when it can be appealed; null is without a limit', time),
        actorUsername: nullableString('Who banned'),
      },
      'The ban',
      'BanOfAppeal',
    ),
    answers: Type.Array(Answer),
    messages: Type.Array(
      responseObject(
        {
          ...PublicMessage.properties,
          internal: stringField('`true` if the player cannot read it', 'false'),
          author: account('Who wrote it; null for the player on the public page'),
        },
        'A message',
        'StaffAppealMessage',
      ),
      { description: 'Oldest first' },
    ),
    files: Type.Array(EvidenceFile, {
      description:
        'Files that the player has sent, oldest first; those with `moderation.evidence` can download them',
    }),
    earlier: Type.Array(
      responseObject(
        {
          id: stringField('Id of the appeal'),
          state: stateField,
          submittedAt: stringField('When it was submitted', time),
        },
        'Another appeal of the same ban',
        'EarlierAppeal',
      ),
      { description: 'The other appeals of the ban, newest first' },
    ),
    canDecide: stringField('`true` if the reader may decide it now', 'true'),
    isOwnBan: stringField(
      '`true` if the reader imposed the ban, or another one of the player that the decision is about too',
      'false',
    ),
    ownCaseNumber: nullableString('The case number of that ban', '17'),
    cooldownDays: stringField('Days after a denial until the next appeal', '30'),
  },
  'An appeal with everything that staff see',
)
export const StatisticsResponse = responseObject(
  {
    open: stringField('Open appeals now', '3'),
    decided: stringField('Decided in this time', '40'),
    accepted: stringField('Of those: ban lifted', '8'),
    reduced: stringField('Of those: ban shortened', '4'),
    denied: stringField('Of those: ban kept', '28'),
    medianSeconds: nullableString(
      'Median time from submission to decision, in seconds; null if none was decided',
      '7200',
    ),
  },
  'Statistics of appeals',
)
export const AppealSettingsResponse = responseObject(
  {
    settings: responseObject(
      {
        enabled: stringField('`true` if bans can be appealed', 'true'),
        afterDays: stringField('Days after the ban from which it can be appealed', '0'),
        windowDays: nullableString('For how many days from then on; null without a limit', '90'),
        cooldownDays: stringField('Days after a denial until the next appeal', '30'),
        allowOwnDecision: stringField('`true` if the person who banned may decide', 'false'),
        allowFiles: stringField('`true` if players can send files with an appeal', 'false'),
        introduction: nullableString('What players read above the form'),
        questions: Type.Array(Question),
        version: stringField('Grows with every change; for If-Match', '1'),
      },
      'How the workspace handles appeals',
      'AppealSettings',
    ),
  },
  'The settings',
)
