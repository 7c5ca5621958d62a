import type { Permission } from '@reeve/core'
import { useCallback, useMemo, useState } from 'react'
import type { Draft, RoleChange } from './permission-diff.ts'
import type { Role } from './queries.ts'

type PendingChanges = ReadonlyMap<string, ReadonlyMap<Permission, boolean>>

/** The desired permissions that differ from the role's current ones. */
function diffRole(role: Role, desired: ReadonlyMap<Permission, boolean>): RoleChange {
  const unapplied = [...desired].filter(
    ([permission, isGranted]) => role.permissions.has(permission) !== isGranted,
  )
  return {
    granted: new Set(unapplied.filter(([, isGranted]) => isGranted).map(([permission]) => permission)),
    revoked: new Set(unapplied.filter(([, isGranted]) => !isGranted).map(([permission]) => permission)),
  }
}

/**
 * Unsaved permission changes. They are stored as single changes, not as whole sets, so that changes by others in the
 * meantime are kept, and a change that someone else has made already disappears from the draft.
 */
export function useDraft(roles: readonly Role[]) {
  const [pendingChanges, setPendingChanges] = useState<PendingChanges>(new Map())
  const draft: Draft = useMemo(
    () =>
      new Map(
        roles
          .filter(({ id, isOwner }) => pendingChanges.has(id) && !isOwner)
          .map((role) => [role.id, diffRole(role, pendingChanges.get(role.id) ?? new Map())] as const)
          .filter(([, { granted, revoked }]) => granted.size + revoked.size > 0),
      ),
    [roles, pendingChanges],
  )
  const setPermission = useCallback(
    (roleId: string, permission: Permission, isGranted: boolean) =>
      setPendingChanges((previous) =>
        new Map(previous).set(roleId, new Map(previous.get(roleId)).set(permission, isGranted)),
      ),
    [],
  )
  const discard = useCallback(() => setPendingChanges(new Map()), [])
  return { draft, setPermission, discard }
}

export type DraftActions = ReturnType<typeof useDraft>
