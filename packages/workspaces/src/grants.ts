import { type Actor, assertCanGrant, assertOutranks, type Permission, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import type { Row } from './archive/content.ts'

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
export const loadMemberGrants = async (db: Queries, workspaceId: string): Promise<MemberGrants> =>
  sumGrants(await db.all(memberRoles, { workspaceId }))

/** The permissions and rank of each member from archived rows. */
export function combineGrants(roles: readonly Row[], assignments: readonly Row[]): MemberGrants {
  const rolesById = new Map(roles.map((role) => [role.id, role]))
  return sumGrants(
    assignments.flatMap(({ account_id, role_id }) => {
      const role = rolesById.get(role_id)
      return role === undefined || role.is_owner === 1
        ? []
        : [{ account_id: String(account_id), permissions: String(role.permissions), rank: Number(role.rank) }]
    }),
  )
}

function sumGrants(rows: readonly { account_id: string; permissions: string; rank: number }[]): MemberGrants {
  const grants = new Map<string, { permissions: Set<Permission>; rank: number }>()
  for (const { account_id, permissions, rank } of rows) {
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
