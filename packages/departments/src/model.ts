import { wire } from '@reeve/core'
import type { DepartmentTable } from '@reeve/db'
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

const actions = ['create', 'update', 'delete', 'restore'] as const

export const DepartmentRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  name: inputField(
    wire.name({ min: 1, max: 100, example: 'Public relations' }),
    'Unique among the departments that are not deleted',
  ),
  color: nullableInput(wire.color),
  description: nullableInput(wire.text({ max: 1000, multiline: true, example: 'Answers the community.' })),
  id: inputField(wire.id, 'The department'),
  action: inputField(wire.oneOf(actions), '`create` by default with POST, `update` with PATCH'),
})

/** A `PATCH` does not create. */
export const DepartmentPatch = requestObject({
  ...DepartmentRequest.properties,
  action: inputField(wire.oneOf(['update', 'delete', 'restore']), '`update` by default'),
})

export type DepartmentInput = Static<typeof DepartmentRequest>

export const DepartmentQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One department instead of the list'),
  deleted: inputField(wire.boolean, '`true` lists the deleted departments instead'),
  ...pageFields,
})

export type DepartmentQueryInput = Static<typeof DepartmentQuery>

export const Department = responseObject(
  {
    id: stringField('Id of the department'),
    workspaceId: stringField('The workspace it belongs to'),
    name: stringField('Its name', 'Public relations'),
    color: nullableString('`#rrggbb`', '#3366ff'),
    description: nullableString('Its purpose'),
    createdAt: stringField('When it was created', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    deletedAt: nullableString('When it was deleted'),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A department',
)

export const DepartmentResponse = responseObject({ department: Department }, 'The department')
export const DepartmentsResponse = responseObject(
  {
    departments: Type.Array(Department),
    nextCursor,
  },
  'Departments by name',
)

/** Converts a row to its API form. */
export const presentDepartment = (row: DepartmentTable): (typeof Department)['static'] => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  color: row.color,
  description: row.description,
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  deletedAt: wire.writeNullableTime(row.deleted_at),
  version: String(row.version),
})

/** The maximum number of members of a department, and of departments in one order. */
const MAX_MEMBERS = 500
const MAX_DEPARTMENTS = 1000

const workspaceId = inputField(wire.id, 'The workspace; in query or body')

export const DepartmentListQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const DepartmentMembersRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The department'),
  accountIds: inputField(wire.ids(MAX_MEMBERS), 'Members of the workspace; they replace the current ones'),
  leadId: nullableInput(wire.id, 'The lead, one of `accountIds`; absent or null: no lead'),
})

export type DepartmentMembersInput = Static<typeof DepartmentMembersRequest>

export const DepartmentOrderRequest = requestObject({
  workspaceId,
  ids: inputField(wire.ids(MAX_DEPARTMENTS), 'Every department that is not deleted, once, first to last'),
})

export type DepartmentOrderInput = Static<typeof DepartmentOrderRequest>

const DepartmentMember = responseObject(
  {
    accountId: stringField('Id of the account'),
    username: stringField('Username', 'robin'),
    isLead: stringField('Whether it leads the department', 'false'),
  },
  'A member of a department',
)

export type DepartmentMember = Static<typeof DepartmentMember>

const DepartmentWithMembers = responseObject(
  {
    ...Department.properties,
    members: Type.Array(DepartmentMember, { description: 'The lead first, then by username' }),
  },
  'A department with its members',
)

export const DepartmentWithMembersResponse = responseObject(
  { department: DepartmentWithMembers },
  'The department',
)
export const DepartmentsWithMembersResponse = responseObject(
  { departments: Type.Array(DepartmentWithMembers) },
  'All departments that are not deleted, in their order',
)
