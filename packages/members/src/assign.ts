import {
  type Actor,
  assertCanGrant,
  assertCanManage,
  findUngrantableLimits,
  forbidden,
  invalidRequest,
  type Ports,
  parseLimits,
  wire,
} from '@reeve/core'
import { insertMemberRole, type Queries, type RoleTable, statement, type Transaction } from '@reeve/db'
import type { FieldValues } from '@reeve/http'

/** Whether the body of a request names roles to assign. A field that could not be read counts. */
export const grantsRoles = (body: FieldValues): boolean =>
  'roleIds' in body && !(Array.isArray(body.roleIds) && body.roleIds.length === 0)

/** The primary key of a member. */
export type MemberKey = { readonly workspaceId: string; readonly accountId: string }

const rolesById = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('role')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids))
    .orderBy('rank', 'desc')
    .orderBy('name_key'),
)
const deleteMemberRoles = statement<MemberKey>()((sql, p) =>
  sql
    .deleteFrom('member_role')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId),
)
const deleteMemberRole = statement<MemberKey & { roleId: string }>()((sql, p) =>
  sql
    .deleteFrom('member_role')
    .where('workspace_id', '=', p.workspaceId)
    .where('account_id', '=', p.accountId)
    .where('role_id', '=', p.roleId),
)

/** The existing roles among these ids, highest rank first. */
export const listRolesById = (
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<RoleTable[]> => db.all(rolesById, { workspaceId, ids })

/** The roles with these ids. @throws AppError `invalid_request` naming the first unknown id */
export async function requireRoles(
  db: Queries,
  workspaceId: string,
  ids: readonly string[],
): Promise<RoleTable[]> {
  const roles = await listRolesById(db, workspaceId, ids)
  const unknown = ids.filter((id) => !roles.some((role) => role.id === id))
  if (unknown.length === 0) return roles
  throw invalidRequest({
    field: 'roleIds',
    message: `contains an id that is not a role of this workspace: ${unknown[0]}`,
  })
}

/**
 * Requires that the grantor outranks each role and has all of its permissions, with limits that are not stricter.
 * @throws AppError `forbidden` (`insufficient_rank`, `missing_permission`, `over_limit`), `conflict` for the owner role
 */
export function assertCanAssignRoles(
  grantor: Pick<Actor, 'rank' | 'permissions' | 'limits'>,
  roles: readonly Pick<RoleTable, 'is_owner' | 'rank' | 'permissions' | 'limits' | 'name'>[],
): void {
  for (const role of roles) {
    const target = { rank: role.rank, isOwner: role.is_owner === 1 }
    assertCanManage(
      grantor,
      target,
      'The owner role cannot be assigned: a workspace has one owner. Transfer the workspace instead.',
    )
    const permissions = wire.permissionSet.read(role.permissions)
    assertCanGrant(grantor, permissions)
    if (findUngrantableLimits(grantor, { permissions, limits: parseLimits(role.limits) }).length > 0)
      throw forbidden(
        'over_limit',
        `The limits of the role ${role.name} are wider than those of your own roles.`,
      )
  }
}

/** Removes all roles of a member. */
export async function removeRoles(tx: Transaction, key: MemberKey): Promise<void> {
  await tx.run(deleteMemberRoles, key)
}

/** Assigns roles that the member does not have yet. */
export async function assignRoles(
  tx: Transaction,
  ports: Pick<Ports, 'now'>,
  key: MemberKey,
  roles: readonly Pick<RoleTable, 'id'>[],
): Promise<void> {
  const now = ports.now()
  for (const { id: roleId } of roles) await tx.run(insertMemberRole, { ...key, roleId, now })
}

/** Gives a member other roles. Those that it keeps stay assigned since the same time. */
export async function replaceRoles(
  tx: Transaction,
  ports: Pick<Ports, 'now'>,
  key: MemberKey,
  { before, after }: Readonly<Record<'before' | 'after', readonly Pick<RoleTable, 'id'>[]>>,
): Promise<void> {
  const without = (roles: readonly Pick<RoleTable, 'id'>[], others: readonly Pick<RoleTable, 'id'>[]) =>
    roles.filter(({ id }) => !others.some((other) => other.id === id))
  for (const { id: roleId } of without(before, after)) await tx.run(deleteMemberRole, { ...key, roleId })
  await assignRoles(tx, ports, key, without(after, before))
}
