import { wire } from '@reeve/core'
import { inputField, nullableInput, requestObject, responseObject, stringField } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Department } from './model.ts'

/** How many people a department holds, and how many departments can be put in order. */
const MAX_MEMBERS = 500
const MAX_DEPARTMENTS = 1000

const workspaceId = inputField(wire.id, 'The workspace; here or in the query')

export const StaffQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const StaffRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The department'),
  accountIds: inputField(wire.ids(MAX_MEMBERS), 'Members of the workspace; they replace those it has'),
  leadId: nullableInput(wire.id, 'The one of them who leads it; nobody where it is absent or null'),
})

export type StaffInput = Static<typeof StaffRequest>

export const OrderRequest = requestObject({
  workspaceId,
  ids: inputField(wire.ids(MAX_DEPARTMENTS), 'Every live department once, first to last'),
})

export type OrderInput = Static<typeof OrderRequest>

const DepartmentMember = responseObject(
  {
    accountId: stringField('Id of the account'),
    username: stringField('Its name', 'robin'),
    isLead: stringField('Whether it leads the department', 'false'),
  },
  'A member of a department',
)

export type ShownDepartmentMember = Static<typeof DepartmentMember>

const StaffedDepartment = responseObject(
  {
    ...Department.properties,
    members: Type.Array(DepartmentMember, { description: 'Whoever leads it first, then by username' }),
  },
  'A department with its members',
)

export const StaffAnswer = responseObject({ department: StaffedDepartment }, 'The department')
export const StaffedDepartmentsAnswer = responseObject(
  { departments: Type.Array(StaffedDepartment) },
  'The live departments, all of them, in their order',
)
