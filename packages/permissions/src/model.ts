import { OWNER_RANK, permissionCatalog, permissions, wire } from '@reeve/core'
import type { RoleTable } from '@reeve/db'
import {
  inputField,
  nullableInput,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'

const permissionsField = inputField(wire.permissionSet, 'Replaces the whole set')

export const RolePermissionsRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; here or in the query'),
  roleId: inputField(wire.id, 'The role'),
  permissions: permissionsField,
})

export const RolePermissionsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  roleId: inputField(wire.id, 'One role instead of all'),
  id: inputField(wire.id, 'The same as `roleId`'),
})

const roleFields = {
  workspaceId: inputField(wire.id, 'The workspace; here or in the query'),
  name: inputField(wire.text({ min: 1, max: 100, example: 'Senior moderator' }), 'Unique in the workspace'),
  color: nullableInput(wire.color),
  rank: inputField(
    wire.integer({ min: 1, max: OWNER_RANK - 1, example: '100' }),
    "Higher outranks lower; below the caller's own",
  ),
  permissions: permissionsField,
}

export const NewRoleRequest = requestObject(roleFields)
export const RoleRequest = requestObject({ ...roleFields, id: inputField(wire.id, 'The role to change') })

export type RoleInput = Static<typeof RoleRequest>

export const RoleQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The role'),
})

const Role = responseObject(
  {
    id: stringField('Id of the role'),
    workspaceId: stringField('The workspace it belongs to'),
    name: stringField('Its name', 'Senior moderator'),
    color: nullableString('`#rrggbb`', '#3366ff'),
    rank: stringField('Higher outranks lower', '100'),
    permissions: stringField('JSON array of permission names', wire.permissionSet.example),
    isOwner: stringField(
      '`true` for the owner role: it holds every permission and cannot be changed',
      'false',
    ),
    createdAt: stringField('When it was made', wire.time.example),
    updatedAt: stringField('When it was last changed', wire.time.example),
    version: stringField('Grows with every change; for If-Match', '1'),
  },
  'A role',
)

export const RoleResponse = responseObject({ role: Role }, 'The role')
export const RolesResponse = responseObject(
  {
    roles: Type.Array(Role),
    permissions: Type.Array(
      responseObject(
        {
          name: stringField('As it is given in `permissions`', 'moderation.ban'),
          description: stringField('What it allows', permissionCatalog['moderation.ban']),
        },
        'A permission',
      ),
    ),
  },
  'Every role, highest rank first, and the catalogue of permissions',
)

export const RoleCombinationsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const RoleCombinationsResponse = responseObject(
  {
    holdings: Type.Array(
      responseObject(
        {
          roleIds: Type.Array(stringField('Id of a role'), { description: 'The roles, and no others' }),
          members: stringField('How many members hold just these', '3'),
        },
        'Roles that are held together',
      ),
    ),
  },
  'Which roles are held together, and by how many; members without a role are not counted',
)

/** The permissions of a role; the owner role holds those of later releases too. */
export const getRolePermissions = (row: RoleTable) =>
  row.is_owner === 1 ? permissions : wire.permissionSet.read(row.permissions)

/** A row as the interface shows it. */
export const presentRole = (row: RoleTable): Static<typeof Role> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  color: row.color,
  rank: String(row.rank),
  permissions: wire.permissionSet.write(getRolePermissions(row)),
  isOwner: wire.boolean.write(row.is_owner === 1),
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  version: String(row.version),
})
