import { wire } from '@reeve/core'
import type { DepartmentTable } from '@reeve/db'
import { answer, clearable, field, pageFields, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const actions = ['create', 'update', 'delete', 'restore'] as const

export const DepartmentRequest = request({
  workspaceId: field(wire.id, 'The workspace; here or in the query'),
  name: field(
    wire.text({ min: 1, max: 100, example: 'Public relations' }),
    'Unique among the live departments',
  ),
  color: clearable(wire.colour),
  description: clearable(wire.text({ max: 1000, lines: true, example: 'Answers the community.' })),
  id: field(wire.id, 'The department'),
  action: field(wire.oneOf(actions), '`create` by default with POST, `update` with PATCH'),
})

/** `PATCH` changes what is there: it does not create. */
export const DepartmentPatch = request({
  ...DepartmentRequest.properties,
  action: field(wire.oneOf(['update', 'delete', 'restore']), '`update` by default'),
})

export type DepartmentInput = Static<typeof DepartmentRequest>

export const DepartmentQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  id: field(wire.id, 'One department instead of the list'),
  deleted: field(wire.boolean, '`true` shows the deleted ones instead of the live ones'),
  ...pageFields,
})

export type DepartmentQueryInput = Static<typeof DepartmentQuery>

export const Department = answer(
  {
    id: shown('Id of the department'),
    workspaceId: shown('The workspace it belongs to'),
    name: shown('Its name', 'Public relations'),
    color: shownOrNull('`#rrggbb`', '#3366ff'),
    description: shownOrNull('What it is for'),
    createdAt: shown('When it was made', wire.time.example),
    updatedAt: shown('When it was last changed', wire.time.example),
    deletedAt: shownOrNull('When it was deleted'),
    version: shown('Grows with every change; for If-Match', '1'),
  },
  'A department',
)

export const DepartmentAnswer = answer({ department: Department }, 'The department')
export const DepartmentsAnswer = answer(
  { departments: Type.Array(Department), nextCursor: shownOrNull('Give it as `cursor` for the next page') },
  'Departments by name',
)

/** A row as the interface shows it. */
export const shownDepartment = (row: DepartmentTable): (typeof Department)['static'] => ({
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
