import { MAX_STEP_COUNT, wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

export const PreviewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  userId: inputField(wire.playerId, 'The player'),
  templateId: inputField(wire.id, 'The template'),
})

export type PreviewQueryInput = Static<typeof PreviewQuery>

const CountedRecordResponse = responseObject(
  {
    id: stringField('Id of the record'),
    caseNumber: stringField('Its case number', '17'),
    action: stringField('`note`, `warn`, `kick`, `mute` or `ban`', 'warn'),
    templateId: nullableString('The template of the record'),
    step: nullableString('The step that applied to it', '1'),
    createdAt: stringField('When it was created', wire.time.example),
    stopsCountingAt: nullableString('When it stops counting; null is never', wire.time.example),
  },
  'A record that counts',
  'CountedRecord',
)

export const PreviewResponse = responseObject(
  {
    preview: responseObject(
      {
        userId: stringField('The player', wire.playerId.example),
        templateId: stringField('The template'),
        templateVersion: stringField('Its version', '1'),
        ladderId: nullableString('Its ladder; null: the moderator decides, and `action` is required'),
        ladderName: nullableString('The name of the ladder', 'Chat'),
        stepCount: nullableString('How many steps the ladder has', '3'),
        step: nullableString('The number of the step that applies, from 1; null without a ladder', '2'),
        action: nullableString('What the step does; null without a ladder', 'mute'),
        durationSeconds: nullableString('Of a ban or mute; null is permanent', wire.duration.example),
        severity: nullableString('The severity of the record; null if it depends on the action', 'medium'),
        publicReason: stringField('What the player reads', 'You used an exploit.'),
        count: stringField('How many records of the player count, without the new one', '1'),
        records: Type.Array(CountedRecordResponse, {
          description: `The records that count, newest first: at most ${MAX_STEP_COUNT}`,
        }),
      },
      'What a template leads to for a player',
      'Preview',
    ),
  },
  'What would happen now',
)
