import { type Actor, assertCanGrant, assertCanManage, invalidRequest, wire } from '@reeve/core'
import { insertMemberRole, type Queries, type RoleTable, statement, type Transaction } from '@reeve/db'

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
 * Requires that the grantor outranks each role and has all of its permissions.
 * @throws AppError `forbidden` (`insufficient_rank`, `missing_permission`), `conflict` for the owner role
 */
export function assertCanAssignRoles(
  grantor: Pick<Actor, 'rank' | 'permissions'>,
  roles: readonly Pick<RoleTable, 'is_owner' | 'rank' | 'permissions'>[],
): void {
  for (const role of roles) {
    const target = { rank: role.rank, isOwner: role.is_owner === 1 }
    assertCanManage(
      grantor,
      target,
      'The owner role cannot be assigned: a workspace has one owner. Transfer the workspace instead.',
    )
    assertCanGrant(grantor, wire.permissionSet.read(role.permissions))
  }
}

/** Removes all roles of a member. */
export async function removeRoles(tx: Transaction, key: MemberKey): Promise<void> {
  await tx.run(deleteMemberRoles, key)
}

/** Assigns roles that the member does not have yet. */
export async function assignRoles(
  tx: Transaction,
  key: MemberKey,
  roles: readonly RoleTable[],
): Promise<void> {
  for (const role of roles) await tx.run(insertMemberRole, { ...key, roleId: role.id })
}
