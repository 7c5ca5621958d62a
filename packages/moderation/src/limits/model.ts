import { BAN_WINDOW_MS, recordActions, wire } from '@reeve/core'
import {
  inputField,
  limitFields,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { Type } from '@sinclair/typebox'

export const OwnLimitsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const OwnLimitsResponse = responseObject(
  {
    limits: Type.Array(
      responseObject(
        {
          action: Type.String({ enum: [...recordActions], description: 'The action that they apply to' }),
          ...limitFields,
        },
        'The limits of an action',
      ),
      { description: 'The actions that the account may take, with their limits' },
    ),
    editLimits: responseObject(
      limitFields,
      'The limits of an edit, beside those of the action: of the roles that allow edits',
    ),
    bansThisHour: stringField(
      `The bans that count against the number per hour: those of the last ${BAN_WINDOW_MS / 60_000} minutes`,
      '3',
    ),
    nextBanAt: nullableString(
      'When another ban is possible; null if one is possible already',
      wire.time.example,
    ),
    approvalHours: stringField('How many hours a ban that waits for approval is in effect', '24'),
  },
  'What the roles of the account allow at most',
)
