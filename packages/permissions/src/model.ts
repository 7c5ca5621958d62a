import { OWNER_RANK, permissionCatalogue, permissions, wire } from '@reeve/core'
import type { RoleTable } from '@reeve/db'
import { answer, clearable, field, request, shown, shownOrNull } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const permissionsField = field(wire.permissionSet, 'Replaces the whole set')

export const RolePermissionsRequest = request({
  workspaceId: field(wire.id, 'The workspace; here or in the query'),
  roleId: field(wire.id, 'The role'),
  permissions: permissionsField,
})

export const RolePermissionsQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  roleId: field(wire.id, 'One role instead of all'),
  id: field(wire.id, 'The same as `roleId`'),
})

const roleFields = {
  workspaceId: field(wire.id, 'The workspace; here or in the query'),
  name: field(wire.text({ min: 1, max: 100, example: 'Senior moderator' }), 'Unique in the workspace'),
  color: clearable(wire.colour),
  rank: field(
    wire.wholeNumber({ min: 1, max: OWNER_RANK - 1, example: '100' }),
    "Higher outranks lower; below the caller's own",
  ),
  permissions: permissionsField,
}

export const NewRoleRequest = request(roleFields)
export const RoleRequest = request({ ...roleFields, id: field(wire.id, 'The role to change') })

export type RoleInput = Static<typeof RoleRequest>

export const RoleQuery = request({
  workspaceId: field(wire.id, 'The workspace'),
  id: field(wire.id, 'The role'),
})

const Role = answer(
  {
    id: shown('Id of the role'),
    workspaceId: shown('The workspace it belongs to'),
    name: shown('Its name', 'Senior moderator'),
    color: shownOrNull('`#rrggbb`', '#3366ff'),
    rank: shown('Higher outranks lower', '100'),
    permissions: shown('JSON array of permission names', wire.permissionSet.example),
    isOwner: shown('`true` for the owner role: it holds every permission and cannot be changed', 'false'),
    createdAt: shown('When it was made', wire.time.example),
    updatedAt: shown('When it was last changed', wire.time.example),
    version: shown('Grows with every change; for If-Match', '1'),
  },
  'A role',
)

export const RoleAnswer = answer({ role: Role }, 'The role')
export const RolesAnswer = answer(
  {
    roles: Type.Array(Role),
    permissions: Type.Array(
      answer(
        {
          name: shown('As it is given in `permissions`', 'moderation.ban'),
          description: shown('What it allows', permissionCatalogue['moderation.ban']),
        },
        'A permission',
      ),
    ),
  },
  'Every role, highest rank first, and the catalogue of permissions',
)

export const HoldingsQuery = request({ workspaceId: field(wire.id, 'The workspace') })

export const HoldingsAnswer = answer(
  {
    holdings: Type.Array(
      answer(
        {
          roleIds: Type.Array(shown('Id of a role'), { description: 'The roles, and no others' }),
          members: shown('How many members hold just these', '3'),
        },
        'Roles that are held together',
      ),
    ),
  },
  'Which roles are held together, and by how many; members without a role are not counted',
)

/** The permissions of a role; the owner role holds those of later releases too. */
export const permissionsOf = (row: RoleTable) =>
  row.is_owner === 1 ? permissions : wire.permissionSet.read(row.permissions)

/** A row as the interface shows it. */
export const shownRole = (row: RoleTable): Static<typeof Role> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  color: row.color,
  rank: String(row.rank),
  permissions: wire.permissionSet.write(permissionsOf(row)),
  isOwner: wire.boolean.write(row.is_owner === 1),
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  version: String(row.version),
})
