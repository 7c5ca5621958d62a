import { wire } from '@reeve/core'
import { inputField, nullableInput, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Department } from './model.ts'

/** How many people a department holds, and how many departments can be put in order. */
const MAX_MEMBERS = 500
const MAX_DEPARTMENTS = 1000

const workspaceId = inputField(wire.id, 'The workspace; here or in the query')

export const DepartmentListQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const DepartmentMembersRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The department'),
  accountIds: inputField(wire.ids(MAX_MEMBERS), 'Members of the workspace; they replace those it has'),
  leadId: nullableInput(wire.id, 'The one of them who leads it; nobody where it is absent or null'),
})

export type DepartmentMembersInput = Static<typeof DepartmentMembersRequest>

export const DepartmentOrderRequest = requestObject({
  workspaceId,
  ids: inputField(wire.ids(MAX_DEPARTMENTS), 'Every live department once, first to last'),
})

export type DepartmentOrderInput = Static<typeof DepartmentOrderRequest>

const DepartmentMember = responseObject(
  {
    accountId: stringField('Id of the account'),
    username: stringField('Its name', 'robin'),
    isLead: stringField('Whether it leads the department', 'false'),
  },
  'A member of a department',
)

export type DepartmentMember = Static<typeof DepartmentMember>

const DepartmentWithMembers = responseObject(
  {
    ...Department.properties,
    members: Type.Array(DepartmentMember, { description: 'Whoever leads it first, then by username' }),
  },
  'A department with its members',
)

export const DepartmentWithMembersResponse = responseObject(
  { department: DepartmentWithMembers },
  'The department',
)
export const DepartmentsWithMembersResponse = responseObject(
  { departments: Type.Array(DepartmentWithMembers) },
  'The live departments, all of them, in their order',
)
