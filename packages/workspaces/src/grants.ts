import { type Actor, assertCanGrant, assertOutranks, type Permission, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const memberRoles = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('member_role')
    .innerJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select(['member_role.account_id', 'role.permissions', 'role.rank'])
    .where('member_role.workspace_id', '=', p.workspaceId)
    .where('role.is_owner', '=', 0)
    .orderBy('member_role.account_id')
    .orderBy('member_role.role_id'),
)

/** The permissions and rank of each member from their roles, without the owner role. */
export type MemberGrants = ReadonlyMap<
  string,
  { readonly permissions: ReadonlySet<Permission>; readonly rank: number }
>

/** Reads the permissions and rank of each member. */
export async function loadMemberGrants(db: Queries, workspaceId: string): Promise<MemberGrants> {
  const grants = new Map<string, { permissions: Set<Permission>; rank: number }>()
  for (const { account_id, permissions, rank } of await db.all(memberRoles, { workspaceId })) {
    const grant = grants.get(account_id) ?? { permissions: new Set<Permission>(), rank: 0 }
    for (const permission of wire.permissionSet.read(permissions)) grant.permissions.add(permission)
    grants.set(account_id, { ...grant, rank: Math.max(grant.rank, rank) })
  }
  return grants
}

/**
 * Checks that the actor can grant everything that members gain: restoring old roles and members counts as granting.
 * Permissions and ranks that members already had are not gains.
 * @throws AppError `forbidden` with the missing permission, or with reason `insufficient_rank`
 */
export function assertCanGrantGains(actor: Actor, before: MemberGrants, after: MemberGrants): void {
  for (const [accountId, { permissions, rank }] of after) {
    const previous = before.get(accountId)
    const gained = [...permissions].filter((permission) => !previous?.permissions.has(permission))
    assertCanGrant(actor, gained)
    if (rank > (previous?.rank ?? 0)) assertOutranks(actor, rank)
  }
}
