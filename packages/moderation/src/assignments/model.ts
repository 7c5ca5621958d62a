import { wire } from '@reeve/core'
import { inputField, nullableString, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Claim } from '../claims/model.ts'

/** The maximum number of records in one request: a page of a list. */
const MAX_RECORDS = 200

export const CaseWorkQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  recordIds: inputField(wire.ids(MAX_RECORDS), 'The records'),
})
export const AssignmentRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  recordId: inputField(wire.id, 'The record'),
  accountId: inputField(wire.id, 'The member who is to work on it'),
})
export const AssignmentQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  recordId: inputField(wire.id, 'The record'),
})
export const AssigneesQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  q: inputField(wire.text({ max: 50, example: 'rob' }), 'A part of the name'),
})

const Assignment = responseObject(
  {
    recordId: stringField('The record'),
    accountId: stringField('Who is to work on it'),
    username: stringField('The name of the account', 'robin'),
    assignedBy: nullableString('The account that assigned it'),
    assignedAt: stringField('When', wire.time.example),
  },
  'Who is to work on a record',
)
export type Assignment = Static<typeof Assignment>

export const CaseWorkResponse = responseObject(
  {
    claims: Type.Array(Claim, { description: 'The claims that have not expired' }),
    assignments: Type.Array(Assignment),
  },
  'Who works on these records, and who is to; records that nobody works on are not listed',
)
export const AssignmentResponse = responseObject(
  { assignment: Type.Union([Assignment, Type.Null()], { nullable: true, description: 'Null if nobody is' }) },
  'Who is to work on the record',
)
export const AssigneesResponse = responseObject(
  {
    members: Type.Array(
      responseObject(
        { accountId: stringField('The account'), username: stringField('Its name', 'robin') },
        'A member who can view cases',
      ),
    ),
  },
  'The first members who can view cases, by name',
)
