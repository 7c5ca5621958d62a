import type { Permission } from '@reeve/core'

/** What a role gives. */
export interface RoleAccess {
  readonly rank: number
  readonly permissions: ReadonlySet<Permission>
}

const findRank = (roles: readonly RoleAccess[]): number => Math.max(0, ...roles.map(({ rank }) => rank))

export const collectPermissions = (roles: readonly RoleAccess[]): ReadonlySet<Permission> =>
  new Set(roles.flatMap(({ permissions }) => [...permissions]))

/** Whether somebody loses a permission: then webhooks that they created are offered to be paused. */
export function losesPermission(before: readonly RoleAccess[], after: readonly RoleAccess[]): boolean {
  const kept = collectPermissions(after)
  return [...collectPermissions(before)].some((permission) => !kept.has(permission))
}

/** Whether somebody loses a permission or rank: then API keys that they created, which have a rank, are offered to be revoked. */
export const losesPermissionOrRank = (before: readonly RoleAccess[], after: readonly RoleAccess[]): boolean =>
  findRank(after) < findRank(before) || losesPermission(before, after)
