import {
  type ActorLimits,
  findManageObstacle,
  findUngrantable,
  findUngrantableLimits,
  outranks,
  type Permission,
} from '@reeve/core'
import type { Workspace } from '../../api/me.ts'
import { formatPermission } from '../../components/permission-labels.ts'
import type { Role } from './queries.ts'

/** The acting user's rank and permissions. */
export type Actor = Pick<Workspace, 'rank' | 'permissions'>

/** Why the user cannot manage something of this rank; null if they can. @param subject `Its rank`, `The rank of kim` */
const explainOutranked = (actor: Actor, rank: number, subject = 'Its rank'): string | null =>
  outranks(actor, rank) ? null : `${subject} (${rank}) is not below yours (${actor.rank}).`

/** Why the user cannot change a role; null if they can. */
export function explainCannotEdit(actor: Actor, role: Pick<Role, 'rank' | 'isOwner'>): string | null {
  const obstacle = findManageObstacle(actor, role)
  if (obstacle === 'owner') return 'The owner role always has every permission and cannot be changed.'
  return explainOutranked(actor, role.rank)
}

/** Why the user cannot grant a permission to a role; null if they can. */
export function explainCannotGrant(actor: Actor, role: Role, permission: Permission): string | null {
  const reason = explainCannotEdit(actor, role)
  if (reason !== null) return reason
  if (role.permissions.has(permission) || findUngrantable(actor, [permission]).length === 0) return null
  return 'You don’t have this permission yourself, so you cannot grant it.'
}

/** Why the user cannot assign a role to a member; null if they can. */
export function explainCannotAssign(
  actor: Actor & { readonly limits: ActorLimits },
  role: Role,
): string | null {
  if (role.isOwner) return 'A workspace can only have one owner.'
  const reason = explainOutranked(actor, role.rank)
  if (reason !== null) return reason
  const [first, ...more] = findUngrantable(actor, role.permissions)
  if (first !== undefined) {
    const others = more.length === 0 ? '' : `, and ${more.length} more`
    return `It grants permissions that you don’t have yourself: ${formatPermission(first)}${others}.`
  }
  const { limits } = role
  const wider = findUngrantableLimits(actor, { permissions: [...role.permissions], limits })
  return wider.length === 0 ? null : 'Its limits are wider than those of your own roles.'
}

interface RankedMember {
  readonly username: string
  readonly rank: string
  readonly isOwner: string
}

/** Why the user cannot change or remove a member; null if they can. */
export function explainCannotManageMember(
  actor: Actor,
  { username, rank, isOwner }: RankedMember,
): string | null {
  if (isOwner === 'true') return `${username} owns this workspace.`
  return explainOutranked(actor, Number(rank), `The rank of ${username}`)
}
