import { wire } from '@reeve/core'
import type { DepartmentTable } from '@reeve/db'
import {
  inputField,
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
  workspaceId: inputField(wire.id, 'The workspace; here or in the query'),
  name: inputField(
    wire.text({ min: 1, max: 100, example: 'Public relations' }),
    'Unique among the live departments',
  ),
  color: nullableInput(wire.color),
  description: nullableInput(wire.text({ max: 1000, multiline: true, example: 'Answers the community.' })),
  id: inputField(wire.id, 'The department'),
  action: inputField(wire.oneOf(actions), '`create` by default with POST, `update` with PATCH'),
})

/** `PATCH` changes what is there: it does not create. */
export const DepartmentPatch = requestObject({
  ...DepartmentRequest.properties,
  action: inputField(wire.oneOf(['update', 'delete', 'restore']), '`update` by default'),
})

export type DepartmentInput = Static<typeof DepartmentRequest>

export const DepartmentQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One department instead of the list'),
  deleted: inputField(wire.boolean, '`true` shows the deleted ones instead of the live ones'),
  ...pageFields,
})

export type DepartmentQueryInput = Static<typeof DepartmentQuery>

export const Department = responseObject(
  {
    id: stringField('Id of the department'),
    workspaceId: stringField('The workspace it belongs to'),
    name: stringField('Its name', 'Public relations'),
    color: nullableString('`#rrggbb`', '#3366ff'),
    description: nullableString('What it is for'),
    createdAt: stringField('When it was made', wire.time.example),
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
    nextCursor: nullableString('Give it as `cursor` for the next page'),
  },
  'Departments by name',
)

/** A row as the interface shows it. */
export const presentDepartment = (row: DepartmentTable): (typeof Department)['static'] => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  color: row.color,
  description: row.description,
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  deletedAt: row.deleted_at === null ? null : wire.time.write(row.deleted_at),
  version: String(row.version),
})
