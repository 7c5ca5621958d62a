import type { Permission } from '@reeve/core'
import { type Actor, explainCannotGrant } from './can-manage.ts'
import type { Draft } from './permission-diff.ts'
import type { Role, RoleCombination } from './queries.ts'
import type { DraftActions } from './use-draft.ts'

export interface MatrixProps {
  readonly roles: readonly Role[]
  readonly roleCombinations: readonly RoleCombination[]
  readonly actor: Actor
  readonly canEdit: boolean
  readonly draft: Draft
  readonly setPermission: DraftActions['setPermission']
  /** The role to show where there is room for only one. */
  readonly selectedRoleId: string | undefined
  readonly onSelectRole: (roleId: string) => void
}

/** The state of one cell, with the draft applied. */
export function getCellState(
  { draft, actor, canEdit }: Pick<MatrixProps, 'draft' | 'actor' | 'canEdit'>,
  role: Role,
  permission: Permission,
) {
  const change = draft.get(role.id)
  const isAdded = change?.granted.has(permission) ?? false
  const isRemoved = change?.revoked.has(permission) ?? false
  return {
    isGranted: isAdded || (role.permissions.has(permission) && !isRemoved),
    isChanged: isAdded || isRemoved,
    /** Why the user cannot change it; null if they can, and if the whole matrix is read-only. */
    reason: canEdit ? explainCannotGrant(actor, role, permission) : null,
  }
}
