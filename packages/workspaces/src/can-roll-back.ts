import { type Actor, forbidden, OWNER_RANK, permissions, requirePermission } from '@reeve/core'

/**
 * Asserts that the actor may roll a workspace back. Only the owner may: a roll-back takes away whatever was added since the archive,
 * from members of any rank to bans and endpoint controls, so it needs somebody who may do all of that.
 * @param actor an API key counts as the owner if the owner created it with every permission
 * @throws AppError `forbidden`: `insufficient_rank`, or `missing_permission` for a key
 */
export function assertCanRollBack(actor: Pick<Actor, 'rank' | 'permissions'>): void {
  if (actor.rank < OWNER_RANK) {
    throw forbidden(
      'insufficient_rank',
      'Only the owner can roll the workspace back, because that replaces its members, roles, controls and records.',
    )
  }
  for (const permission of permissions) requirePermission(actor, permission)
}
