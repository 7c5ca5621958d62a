import { type Permission, permissions } from '@reeve/core'
import type { Holding, Role } from './role-data.ts'

/** What is to be changed of one role. */
export interface RoleChange {
  readonly gives: ReadonlySet<Permission>
  readonly takes: ReadonlySet<Permission>
}

/** Changes that are not saved yet, by the id of the role. */
export type Draft = ReadonlyMap<string, RoleChange>

/** What becomes of one permission. */
export interface Effect {
  readonly permission: Permission
  /** The roles that it is given to, or taken from. */
  readonly roles: readonly Role[]
  /** How many people can do it from then on, or no more. Whoever has it by another role is not counted. */
  readonly people: number
}

/** What a draft does, to be read before it is done. */
export interface Outcome {
  readonly gives: readonly Effect[]
  readonly takes: readonly Effect[]
  /** How many people it gives anything new, and from how many it takes anything. */
  readonly gaining: number
  readonly losing: number
}

const none: ReadonlySet<Permission> = new Set()

/** What a role has once a change is made. */
export function changed(role: Role, change: RoleChange | undefined): ReadonlySet<Permission> {
  if (!change) return role.permissions
  return new Set(
    permissions.filter(
      (one) => change.gives.has(one) || (role.permissions.has(one) && !change.takes.has(one)),
    ),
  )
}

const union = (sets: Iterable<ReadonlySet<Permission>>): ReadonlySet<Permission> => {
  const all = new Set<Permission>()
  for (const set of sets) for (const one of set) all.add(one)
  return all
}

/** What one permission of a draft is given to, and taken from. */
const touched = (roles: readonly Role[], draft: Draft, which: keyof RoleChange, permission: Permission) =>
  roles.filter(({ id }) => (draft.get(id)?.[which] ?? none).has(permission))

/** Reckons what a draft gives and takes, and to how many people. */
export function outcomeOf(roles: readonly Role[], draft: Draft, holdings: readonly Holding[]): Outcome {
  const gained = new Map<Permission, number>()
  const lost = new Map<Permission, number>()
  let gaining = 0
  let losing = 0
  for (const { roleIds, members } of holdings) {
    const held = roles.filter(({ id }) => roleIds.includes(id))
    const before = union(held.map((role) => role.permissions))
    const after = union(held.map((role) => changed(role, draft.get(role.id))))
    const more = [...after].filter((one) => !before.has(one))
    const less = [...before].filter((one) => !after.has(one))
    for (const one of more) gained.set(one, (gained.get(one) ?? 0) + members)
    for (const one of less) lost.set(one, (lost.get(one) ?? 0) + members)
    if (more.length > 0) gaining += members
    if (less.length > 0) losing += members
  }
  const effects = (which: keyof RoleChange, people: ReadonlyMap<Permission, number>) =>
    permissions
      .map((permission) => ({
        permission,
        roles: touched(roles, draft, which, permission),
        people: people.get(permission) ?? 0,
      }))
      .filter((effect) => effect.roles.length > 0)
  return { gives: effects('gives', gained), takes: effects('takes', lost), gaining, losing }
}
