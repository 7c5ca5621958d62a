import { wire } from '@reeve/core'
import { answer, clearable, field, request, shown } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { Department } from './model.ts'

/** How many people a department holds, and how many departments can be put in order. */
const MAX_MEMBERS = 500
const MAX_DEPARTMENTS = 1000

const workspaceId = field(wire.id, 'The workspace; here or in the query')

export const StaffQuery = request({ workspaceId: field(wire.id, 'The workspace') })

export const StaffRequest = request({
  workspaceId,
  id: field(wire.id, 'The department'),
  accountIds: field(wire.ids(MAX_MEMBERS), 'Members of the workspace; they replace those it has'),
  leadId: clearable(wire.id, 'The one of them who leads it; nobody where it is absent or null'),
})

export type StaffInput = Static<typeof StaffRequest>

export const OrderRequest = request({
  workspaceId,
  ids: field(wire.ids(MAX_DEPARTMENTS), 'Every live department once, first to last'),
})

export type OrderInput = Static<typeof OrderRequest>

const DepartmentMember = answer(
  {
    accountId: shown('Id of the account'),
    username: shown('Its name', 'robin'),
    isLead: shown('Whether it leads the department', 'false'),
  },
  'A member of a department',
)

export type ShownDepartmentMember = Static<typeof DepartmentMember>

const StaffedDepartment = answer(
  {
    ...Department.properties,
    members: Type.Array(DepartmentMember, { description: 'Whoever leads it first, then by username' }),
  },
  'A department with its members',
)

export const StaffAnswer = answer({ department: StaffedDepartment }, 'The department')
export const StaffedDepartmentsAnswer = answer(
  { departments: Type.Array(StaffedDepartment) },
  'The live departments, all of them, in their order',
)
