import type { Permission } from '@reeve/core'
import { useCallback, useMemo, useState } from 'react'
import type { Draft, RoleChange } from './effect.ts'
import type { Role } from './role-data.ts'

type Wishes = ReadonlyMap<string, ReadonlyMap<Permission, boolean>>

/** The part of a wish that the role does not fulfil already. */
function changeOf(role: Role, wish: ReadonlyMap<Permission, boolean>): RoleChange {
  const open = [...wish].filter(([permission, isHeld]) => role.permissions.has(permission) !== isHeld)
  return {
    gives: new Set(open.filter(([, isHeld]) => isHeld).map(([permission]) => permission)),
    takes: new Set(open.filter(([, isHeld]) => !isHeld).map(([permission]) => permission)),
  }
}

/**
 * Changes of permissions that are not saved yet. They are kept as wishes, not as whole sets: what somebody else changes
 * meanwhile stays, and what they fulfilled is no change any more.
 */
export function useDraft(roles: readonly Role[]) {
  const [wishes, setWishes] = useState<Wishes>(new Map())
  const draft: Draft = useMemo(
    () =>
      new Map(
        roles
          .filter(({ id, isOwner }) => wishes.has(id) && !isOwner)
          .map((role) => [role.id, changeOf(role, wishes.get(role.id) ?? new Map())] as const)
          .filter(([, { gives, takes }]) => gives.size + takes.size > 0),
      ),
    [roles, wishes],
  )
  const wish = useCallback(
    (roleId: string, permission: Permission, isHeld: boolean) =>
      setWishes((before) => new Map(before).set(roleId, new Map(before.get(roleId)).set(permission, isHeld))),
    [],
  )
  /** Forgets what was wished for one role, or for all. */
  const forget = useCallback(
    (roleId?: string) =>
      setWishes((before) => new Map(roleId ? [...before].filter(([id]) => id !== roleId) : [])),
    [],
  )
  return { draft, wish, forget }
}

export type DraftTools = ReturnType<typeof useDraft>
