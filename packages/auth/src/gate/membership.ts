import { OWNER_RANK, type Permission, permissions, wire } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'

const rolesByMember = statement<{ workspaceId: string; accountId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('member')
    .leftJoin('member_role', (join) =>
      join
        .onRef('member_role.workspace_id', '=', 'member.workspace_id')
        .onRef('member_role.account_id', '=', 'member.account_id'),
    )
    .leftJoin('role', (join) =>
      join
        .onRef('role.workspace_id', '=', 'member_role.workspace_id')
        .onRef('role.id', '=', 'member_role.role_id'),
    )
    .select(['role.permissions', 'role.rank', 'role.is_owner'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where('member.account_id', '=', p.accountId),
)

const workspacesByAccount = statement<{ accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .select('workspace_id')
    .where('account_id', '=', p.accountId)
    .orderBy('workspace_id'),
)

/** The permissions and rank of an account in a workspace. */
export interface MembershipPermissions {
  readonly permissions: ReadonlySet<Permission>
  /** The highest rank of its roles; 0 without a role. */
  readonly rank: number
}

const OWNER_PERMISSIONS: MembershipPermissions = { permissions: new Set(permissions), rank: OWNER_RANK }

/** Null if the account is not a member. Not cached, so that a change of roles takes effect immediately. */
export async function findMembershipPermissions(
  db: Queries,
  workspaceId: string,
  accountId: string,
): Promise<MembershipPermissions | null> {
  const roles = await db.all(rolesByMember, { workspaceId, accountId })
  return roles.length === 0 ? null : combineRoles(roles)
}

/**
 * Combines the roles of a member: the union of their permissions and the highest rank.
 * @param roles a row of nulls for a member without a role, as a left join returns it
 */
export function combineRoles(
  roles: readonly { permissions: string | null; rank: number | null; is_owner: number | null }[],
): MembershipPermissions {
  if (roles.some((role) => role.is_owner === 1)) return OWNER_PERMISSIONS
  return {
    permissions: new Set(
      roles.flatMap((role) => (role.permissions ? wire.permissionSet.read(role.permissions) : [])),
    ),
    rank: Math.max(0, ...roles.map((role) => role.rank ?? 0)),
  }
}

/** The workspaces an account is a member of, oldest first. */
export const listWorkspaceIds = async (db: Queries, accountId: string): Promise<string[]> =>
  (await db.all(workspacesByAccount, { accountId })).map((row) => row.workspace_id)
