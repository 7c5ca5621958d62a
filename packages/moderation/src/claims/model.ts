import { wire } from '@reeve/core'
import { inputField, requestObject, responseObject, stringField } from '@reeve/http'
import { Type } from '@sinclair/typebox'

export const Claim = responseObject(
  {
    targetId: stringField('The record or the appeal'),
    accountId: stringField('Who works on it'),
    username: stringField('The name of the account', 'robin'),
    claimedAt: stringField('Since when', wire.time.example),
    expiresAt: stringField('When the claim ends unless it is renewed', wire.time.example),
  },
  'A claim: a person works on a record or an appeal',
)

export const ClaimRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  recordId: inputField(wire.id, 'The record'),
})
export const ClaimQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  recordId: inputField(wire.id, 'The record'),
})

export const ClaimOrNull = Type.Union([Claim, Type.Null()], {
  nullable: true,
  description: 'Null if nobody works on it',
})

export const ClaimResponse = responseObject({ claim: ClaimOrNull }, 'Who works on it')
