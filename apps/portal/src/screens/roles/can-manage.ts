import { findManageObstacle, findUngrantable, outranks, type Permission } from '@reeve/core'
import type { Workspace } from '../../api/me.ts'
import { formatPermission } from '../../components/permission-labels.ts'
import type { Role } from './queries.ts'

/** Who acts: what decides how far they reach. */
export type Actor = Pick<Workspace, 'rank' | 'permissions'>

/** Why something of a rank is out of the reader's reach; null where it is not. @param whose `Its`, or `The rank of kim` */
const explainOutranked = (actor: Actor, rank: number, subject = 'Its rank'): string | null =>
  outranks(actor, rank) ? null : `${subject}, ${rank}, is not below yours, ${actor.rank}.`

/** Why the reader cannot change a role; null where they can. */
export function explainCannotEdit(actor: Actor, role: Pick<Role, 'rank' | 'isOwner'>): string | null {
  const obstacle = findManageObstacle(actor, role)
  if (obstacle === 'owner') return 'The owner role has every permission and cannot be changed.'
  return explainOutranked(actor, role.rank)
}

/** Why the reader cannot give a role a permission that it does not have; null where they can. */
export function explainCannotGrant(actor: Actor, role: Role, permission: Permission): string | null {
  const reason = explainCannotEdit(actor, role)
  if (reason !== null) return reason
  if (role.permissions.has(permission) || findUngrantable(actor, [permission]).length === 0) return null
  return 'You do not have this permission yourself, so you cannot give it.'
}

/** Why the reader cannot hand a role to somebody; null where they can. */
export function explainCannotAssign(actor: Actor, role: Role): string | null {
  if (role.isOwner) return 'A workspace has one owner.'
  const reason = explainOutranked(actor, role.rank)
  if (reason !== null) return reason
  const [first, ...more] = findUngrantable(actor, role.permissions)
  if (first === undefined) return null
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return `It gives what you do not have yourself: ${formatPermission(first)}${others}.`
}

interface RankedMember {
  readonly username: string
  readonly rank: string
  readonly isOwner: string
}

/** Why the reader cannot change or remove a member; null where they can. */
export function explainCannotManageMember(
  actor: Actor,
  { username, rank, isOwner }: RankedMember,
): string | null {
  if (isOwner === 'true') return `${username} owns this workspace.`
  return explainOutranked(actor, Number(rank), `The rank of ${username}`)
}

/** What of another role the reader can give: what they have themselves. */
export const getGrantablePermissions = (actor: Actor, roles: readonly Role[], id: string): Permission[] =>
  [...(roles.find((role) => role.id === id)?.permissions ?? [])].filter((permission) =>
    actor.permissions.has(permission),
  )
