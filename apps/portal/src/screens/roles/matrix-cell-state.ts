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
  /** The role that the reader came for, where there is room for one alone. */
  readonly selectedRoleId: string | undefined
  readonly onSelectRole: (roleId: string) => void
}

/** Whether a role may do something, as it is wished for. */
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
    /** Why it cannot be changed; null where it can, and where nothing can. */
    reason: canEdit ? explainCannotGrant(actor, role, permission) : null,
  }
}
