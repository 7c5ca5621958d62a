import { type Permission, permissions } from '@reeve/core'
import type { Role, RoleCombination } from './queries.ts'

/** The unsaved changes of one role. */
export interface RoleChange {
  readonly granted: ReadonlySet<Permission>
  readonly revoked: ReadonlySet<Permission>
}

/** Unsaved changes by role id. */
export type Draft = ReadonlyMap<string, RoleChange>

/** The effect of a draft on one permission. */
export interface PermissionImpact {
  readonly permission: Permission
  /** The roles that gain or lose it. */
  readonly roles: readonly Role[]
  /** How many people gain or lose it. People who have it through another role are not counted. */
  readonly people: number
}

/** The effect of a draft. */
export interface DraftImpact {
  readonly granted: readonly PermissionImpact[]
  readonly revoked: readonly PermissionImpact[]
  /** How many people gain, and how many lose, at least one permission. */
  readonly gainingCount: number
  readonly losingCount: number
}

const noPermissions: ReadonlySet<Permission> = new Set()

/** The permissions of a role after a change. */
export function applyChange(role: Role, change: RoleChange | undefined): ReadonlySet<Permission> {
  if (!change) return role.permissions
  return new Set(
    permissions.filter(
      (permission) =>
        change.granted.has(permission) ||
        (role.permissions.has(permission) && !change.revoked.has(permission)),
    ),
  )
}

const union = (sets: Iterable<ReadonlySet<Permission>>): ReadonlySet<Permission> => {
  const all = new Set<Permission>()
  for (const set of sets) for (const permission of set) all.add(permission)
  return all
}

/** The roles that gain or lose a permission in a draft. */
const findAffectedRoles = (
  roles: readonly Role[],
  draft: Draft,
  direction: keyof RoleChange,
  permission: Permission,
) => roles.filter(({ id }) => (draft.get(id)?.[direction] ?? noPermissions).has(permission))

/** Computes which permissions a draft grants and revokes, and how many people that affects. */
export function computeImpact(
  roles: readonly Role[],
  draft: Draft,
  roleCombinations: readonly RoleCombination[],
): DraftImpact {
  const gainedBy = new Map<Permission, number>()
  const lostBy = new Map<Permission, number>()
  let gainingCount = 0
  let losingCount = 0
  for (const { roleIds, members } of roleCombinations) {
    const memberRoles = roles.filter(({ id }) => roleIds.includes(id))
    const before = union(memberRoles.map((role) => role.permissions))
    const after = union(memberRoles.map((role) => applyChange(role, draft.get(role.id))))
    const added = [...after].filter((permission) => !before.has(permission))
    const removed = [...before].filter((permission) => !after.has(permission))
    for (const permission of added) gainedBy.set(permission, (gainedBy.get(permission) ?? 0) + members)
    for (const permission of removed) lostBy.set(permission, (lostBy.get(permission) ?? 0) + members)
    if (added.length > 0) gainingCount += members
    if (removed.length > 0) losingCount += members
  }
  const listImpacts = (direction: keyof RoleChange, people: ReadonlyMap<Permission, number>) =>
    permissions
      .map((permission) => ({
        permission,
        roles: findAffectedRoles(roles, draft, direction, permission),
        people: people.get(permission) ?? 0,
      }))
      .filter((impact) => impact.roles.length > 0)
  return {
    granted: listImpacts('granted', gainedBy),
    revoked: listImpacts('revoked', lostBy),
    gainingCount,
    losingCount,
  }
}
