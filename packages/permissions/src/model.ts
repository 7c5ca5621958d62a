import {
  creatorKeyFields,
  creatorWebhookFields,
  MAX_CREATIONS,
  pauseWebhookIds,
  revokeKeyIds,
} from '@reeve/auth'
import { OWNER_RANK, type Permission, parseLimits, permissionCatalog, permissions, wire } from '@reeve/core'
import type { RoleTable } from '@reeve/db'
import {
  inputField,
  limitFields,
  limitInputs,
  nullableInput,
  nullableString,
  presentLimits,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { creatorFields } from './creator-roles.ts'

const permissionsField = inputField(wire.permissionSet, 'Replaces all permissions of the role')

export const RolePermissionsRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  roleId: inputField(wire.id, 'The role'),
  permissions: permissionsField,
})

export const RolePermissionsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  roleId: inputField(wire.id, 'Return this role instead of all'),
  id: inputField(wire.id, 'Alias of `roleId`'),
})

/** Roles of a workspace, including the owner role. */
export const MAX_ROLES = 200

const rankCodec = wire.integer({ min: 1, max: OWNER_RANK - 1, example: '100' })

/** The rank that a role gets, if it still has this version. */
export interface RankChange {
  readonly id: string
  readonly rank: number
  readonly version: string
}

/** `id:rank:version` of some roles. */
const rankChanges: wire.Codec<readonly RankChange[]> = {
  read(text) {
    const parts = text.split(',').map((part) => part.trim().split(':'))
    if (parts.length > MAX_ROLES) throw new wire.WireError(`must list at most ${MAX_ROLES} roles`)
    return parts.map(([id = '', rank = '', version = '', ...rest]) => {
      if (version === '' || rest.length > 0)
        throw new wire.WireError('must list `id:rank:version` of each role, separated by commas')
      return { id: wire.id.read(id), rank: rankCodec.read(rank), version }
    })
  },
  write: (changes) => changes.map(({ id, rank, version }) => `${id}:${rank}:${version}`).join(','),
  description: 'The `id:rank:version` of each role, separated by commas',
  example: `${wire.id.example}:100:1`,
}

export const RoleRanksRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  ranks: inputField(rankChanges, 'The roles to change, their new ranks and their expected versions'),
  revokeKeyIds,
})

/** The permissions that a role gets instead of its own, if it still has this version. */
export interface PermissionChange {
  readonly id: string
  readonly permissions: readonly Permission[]
  readonly version: string
}

const versionCodec = wire.text({ min: 1, max: 20, example: '1' })

/** A JSON array with the new permissions of some roles. */
const permissionChanges: wire.Codec<readonly PermissionChange[]> = {
  read(text) {
    const changes = wire.readObjectList(text, {
      item: 'role',
      fields: ['id', 'permissions', 'version'],
      readObject: (readField): PermissionChange => ({
        id: readField('id', wire.id),
        permissions: readField('permissions', wire.permissionSet),
        version: readField('version', versionCodec),
      }),
    })
    if (changes.length === 0 || changes.length > MAX_ROLES)
      throw new wire.WireError(`must list 1 to ${MAX_ROLES} roles`)
    if (new Set(changes.map(({ id }) => id)).size < changes.length)
      throw new wire.WireError('must list each role once')
    return changes
  },
  write: (changes) => JSON.stringify(changes),
  description: `JSON array of 1 to ${MAX_ROLES} roles, as a string: \`id\`, \`permissions\` (${wire.permissionSet.description}), and \`version\``,
  example: `[{"id":"${wire.id.example}","permissions":${wire.permissionSet.example},"version":"1"}]`,
}

export const PermissionChangesRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  roles: inputField(
    permissionChanges,
    'The roles to change, their new permissions and their expected versions',
  ),
  revokeKeyIds,
  pauseWebhookIds,
})

const roleFields = {
  workspaceId: inputField(wire.id, 'The workspace; in the body or the query'),
  name: inputField(wire.name({ min: 1, max: 100, example: 'Senior moderator' }), 'Unique in the workspace'),
  color: nullableInput(wire.color),
  rank: inputField(rankCodec, 'A higher rank outranks a lower one; must be below your own'),
  permissions: permissionsField,
  ...limitInputs,
}

export const NewRoleRequest = requestObject(roleFields)
export const RoleRequest = requestObject({
  ...roleFields,
  id: inputField(wire.id, 'The role to change'),
  revokeKeyIds,
  pauseWebhookIds,
})

export type RoleInput = Static<typeof RoleRequest>

export const RoleQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'The role'),
})

export const DeleteRoleQuery = requestObject({ ...RoleQuery.properties, revokeKeyIds, pauseWebhookIds })

export const RoleCreationsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  roleIds: inputField(wire.ids(MAX_ROLES), 'The roles'),
})

export const RoleKeysResponse = responseObject(
  {
    apiKeys: Type.Array(
      responseObject({ ...creatorKeyFields, ...creatorFields }, 'An API key that still works'),
    ),
  },
  `The API keys that members of these roles created and you can revoke, newest first; at most ${MAX_CREATIONS}`,
)

export const RoleWebhooksResponse = responseObject(
  {
    webhooks: Type.Array(responseObject({ ...creatorWebhookFields, ...creatorFields }, 'An active webhook')),
  },
  `The active webhooks that members of these roles, who do not rank above you, or their API keys created, newest first; at most ${MAX_CREATIONS}`,
)

const Role = responseObject(
  {
    id: stringField('Role id'),
    workspaceId: stringField('Workspace id'),
    name: stringField('Role name', 'Senior moderator'),
    color: nullableString('`#rrggbb`', '#3366ff'),
    rank: stringField('A higher rank outranks a lower one', '100'),
    permissions: stringField('JSON array of permission names', wire.permissionSet.example),
    ...limitFields,
    isOwner: stringField(
      '`true` for the owner role, which has every permission and cannot be changed',
      'false',
    ),
    createdAt: stringField('When the role was created', wire.time.example),
    updatedAt: stringField('When the role was last changed', wire.time.example),
    version: stringField('Increases with every change; for `If-Match`', '1'),
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
          name: stringField('Name of the permission, as in `permissions`', 'moderation.ban'),
          description: stringField('What it allows', permissionCatalog['moderation.ban']),
        },
        'A permission',
      ),
    ),
  },
  'All roles, highest rank first, and all permissions',
)

export const RoleCombinationsQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

export const RoleCombinationsResponse = responseObject(
  {
    holdings: Type.Array(
      responseObject(
        {
          roleIds: Type.Array(stringField('Role id'), { description: 'Exactly these roles' }),
          members: stringField('Number of members with exactly these roles', '3'),
        },
        'A combination of roles',
      ),
    ),
  },
  'Combinations of roles and their number of members, most members first; members without a role are not counted',
)

/** The permissions of a role. The owner role has all of them, including those of later releases. */
export const getRolePermissions = (row: RoleTable) =>
  row.is_owner === 1 ? permissions : wire.permissionSet.read(row.permissions)

export const presentRole = (row: RoleTable): Static<typeof Role> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  color: row.color,
  rank: String(row.rank),
  permissions: wire.permissionSet.write(getRolePermissions(row)),
  ...presentLimits(parseLimits(row.limits)),
  isOwner: wire.boolean.write(row.is_owner === 1),
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  version: String(row.version),
})
