import { type Permission, permissions } from '@reeve/core'
import type { Role, RoleCombination } from './queries.ts'

/** What is to be changed of one role. */
export interface RoleChange {
  readonly granted: ReadonlySet<Permission>
  readonly revoked: ReadonlySet<Permission>
}

/** Changes that are not saved yet, by the id of the role. */
export type Draft = ReadonlyMap<string, RoleChange>

/** What becomes of one permission. */
export interface PermissionImpact {
  readonly permission: Permission
  /** The roles that it is given to, or taken from. */
  readonly roles: readonly Role[]
  /** How many people can do it from then on, or no more. Whoever has it by another role is not counted. */
  readonly people: number
}

/** What a draft does, to be read before it is done. */
export interface DraftImpact {
  readonly granted: readonly PermissionImpact[]
  readonly revoked: readonly PermissionImpact[]
  /** How many people it gives anything new, and from how many it takes anything. */
  readonly gainingCount: number
  readonly losingCount: number
}

const noPermissions: ReadonlySet<Permission> = new Set()

/** What a role has once a change is made. */
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

/** What one permission of a draft is given to, and taken from. */
const findAffectedRoles = (
  roles: readonly Role[],
  draft: Draft,
  direction: keyof RoleChange,
  permission: Permission,
) => roles.filter(({ id }) => (draft.get(id)?.[direction] ?? noPermissions).has(permission))

/** Reckons what a draft gives and takes, and to how many people. */
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
