import type { Permission } from '@reeve/core'
import type { Draft } from './effect.ts'
import { type Reader, whyNoGrant } from './reach.ts'
import type { Holding, Role } from './role-data.ts'
import type { DraftTools } from './use-draft.ts'

export interface MatrixProps {
  readonly roles: readonly Role[]
  readonly holdings: readonly Holding[]
  readonly reader: Reader
  readonly mayChange: boolean
  readonly draft: Draft
  readonly wish: DraftTools['wish']
  /** The role that the reader came for, where there is room for one alone. */
  readonly chosenId: string | undefined
  readonly choose: (roleId: string) => void
}

/** Whether a role may do something, as it is wished for. */
export function cellOf(
  { draft, reader, mayChange }: Pick<MatrixProps, 'draft' | 'reader' | 'mayChange'>,
  role: Role,
  permission: Permission,
) {
  const change = draft.get(role.id)
  const isGiven = change?.gives.has(permission) ?? false
  const isTaken = change?.takes.has(permission) ?? false
  return {
    isHeld: isGiven || (role.permissions.has(permission) && !isTaken),
    isChanged: isGiven || isTaken,
    /** Why it cannot be changed; null where it can, and where nothing can. */
    reason: mayChange ? whyNoGrant(reader, role, permission) : null,
  }
}
