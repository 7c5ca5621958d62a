import {
  type ActorLimits,
  combineLimits,
  findSecondFactorDueTime,
  OWNER_RANK,
  type Permission,
  parseLimits,
  permissions,
  UNLIMITED,
  wire,
} from '@reeve/core'
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
    .innerJoin('workspace', 'workspace.id', 'member.workspace_id')
    .select([
      'role.permissions',
      'role.rank',
      'role.limits',
      'role.is_owner',
      'role.second_factor_since',
      'member_role.assigned_at',
      'workspace.second_factor_grace_days',
    ])
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
  /** How far the permissions to moderate go. */
  readonly limits: ActorLimits
}

/** What an account may do in a workspace, and what the workspace requires of it. */
export interface Membership extends MembershipPermissions {
  /** From when it cannot use the workspace without a second factor, in epoch milliseconds; null if it can. */
  readonly secondFactorDueAt: number | null
}

const OWNER_PERMISSIONS: MembershipPermissions = {
  permissions: new Set(permissions),
  rank: OWNER_RANK,
  limits: UNLIMITED,
}

/** Null if the account is not a member. Not cached, so that a change of roles takes effect immediately. */
export async function findMembershipPermissions(
  db: Queries,
  workspaceId: string,
  accountId: string,
): Promise<Membership | null> {
  const roles = await db.all(rolesByMember, { workspaceId, accountId })
  return roles.length === 0
    ? null
    : { ...combineRoles(roles), secondFactorDueAt: findSecondFactorDueAt(roles) }
}

/**
 * From when a member cannot use the workspace without a second factor.
 * @param roles as for `combineRoles`
 * @returns epoch milliseconds; null if the workspace does not require one of the member
 */
export function findSecondFactorDueAt(
  roles: readonly {
    second_factor_since: number | null
    assigned_at: number | null
    second_factor_grace_days: number | null
  }[],
): number | null {
  const graceDays = roles[0]?.second_factor_grace_days ?? 0
  const assigned = roles.flatMap(({ second_factor_since: since, assigned_at: assignedAt }) =>
    since === null || assignedAt === null ? [] : [{ since, assignedAt }],
  )
  return findSecondFactorDueTime(assigned, graceDays)
}

/**
 * Combines the roles of a member: the union of their permissions, the highest rank and the widest limits.
 * @param roles a row of nulls for a member without a role, as a left join returns it
 */
export function combineRoles(
  roles: readonly {
    permissions: string | null
    rank: number | null
    is_owner: number | null
    limits: string | null
  }[],
): MembershipPermissions {
  if (roles.some((role) => role.is_owner === 1)) return OWNER_PERMISSIONS
  const read = roles.map((role) => ({
    permissions: role.permissions ? wire.permissionSet.read(role.permissions) : [],
    limits: parseLimits(role.limits),
  }))
  return {
    permissions: new Set(read.flatMap((role) => role.permissions)),
    rank: Math.max(0, ...roles.map((role) => role.rank ?? 0)),
    limits: combineLimits(read),
  }
}

/** The workspaces an account is a member of, oldest first. */
export const listWorkspaceIds = async (db: Queries, accountId: string): Promise<string[]> =>
  (await db.all(workspacesByAccount, { accountId })).map((row) => row.workspace_id)
