import { severities, wire } from '@reeve/core'
import { nullableString, responseObject, stringField } from '@reeve/http'
import { Type } from '@sinclair/typebox'
import { approvalStates } from './store.ts'

/** A request for approval as responses have it. */
export const Approval = responseObject(
  {
    id: stringField('Id of the request for approval'),
    state: Type.String({
      enum: [...approvalStates],
      description:
        '`pending`, `approved`, `rejected`, `expired` without a decision, or `superseded` if the ban was lifted or replaced before one',
    }),
    recordId: stringField('The ban'),
    caseNumber: stringField('Its case number', '17'),
    userId: stringField('The player', wire.playerId.example),
    userUsername: nullableString('The name of the player at that time', 'Builderman'),
    reason: nullableString('The reason of the ban; null once redacted', 'Exploiting'),
    severity: Type.String({ enum: [...severities], description: 'The severity of the ban' }),
    durationSeconds: nullableString('The requested duration; null is permanent', '63072000'),
    requestedAt: stringField('When it was requested', wire.time.example),
    requestedBy: stringField('The account or API key that requested it'),
    requestedByUsername: nullableString('Its name, or the name of the person it acted for', 'robin'),
    expiresAt: stringField(
      'When the temporary ban ends, and the request with it, unless somebody decides',
      wire.time.example,
    ),
    earlierExpiresAt: nullableString(
      'When the ban that it replaced would have ended: a rejection ends this one then. Null if it replaced none',
      wire.time.example,
    ),
    decidedAt: nullableString('When somebody decided, or the ban was lifted or replaced'),
    decidedBy: nullableString('The account or API key that did so'),
    decidedByUsername: nullableString('Its name', 'sam'),
    canDecide: stringField('`true` if the caller may approve or reject it now', 'true'),
  },
  'A request for approval',
  'Approval',
)
