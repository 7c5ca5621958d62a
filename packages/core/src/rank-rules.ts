import { OWNER_RANK } from './actor.ts'
import { AppError, forbidden } from './error.ts'
import { hasPermission, type PermissionHolder, requirePermission } from './permission.ts'
import type { Permission } from './permission-catalog.ts'

/** The rules of rank that the server enforces and the portal shows: who manages whom, and who grants what. Pure. */

interface Ranked {
  readonly rank: number
}

/** A role, or a member with the highest of their roles. */
export interface RankedTarget extends Ranked {
  readonly isOwner: boolean
}

/** Whether the actor manages roles and members of a rank: those below their own, never their equals. */
export const outranks = (actor: Ranked, rank: number): boolean => rank < actor.rank

/** The highest rank of a role that the actor can create or assign; 0 or less if there is none. */
export const maxAssignableRank = (actor: Ranked): number => Math.min(actor.rank, OWNER_RANK) - 1

/**
 * Whether the actor manages an API key. A key has the rank of its creator, who manages it: equals do not block each other
 * here.
 */
export const canManageApiKey = (actor: Ranked, key: Ranked): boolean => key.rank <= actor.rank

/** The permissions among these that the actor lacks and therefore cannot grant. */
export const findUngrantable = (actor: PermissionHolder, granted: Iterable<Permission>): Permission[] =>
  [...granted].filter((permission) => !hasPermission(actor, permission))

/**
 * Asserts that the actor has every permission they grant.
 * @throws AppError `forbidden`, naming the first permission that the grantor lacks
 */
export function assertCanGrant(grantor: PermissionHolder, granted: Iterable<Permission>): void {
  for (const permission of granted) requirePermission(grantor, permission)
}

/**
 * Asserts that a rank is below the actor's own.
 * @param rank of the role, key or member to change, or of the role to assign
 * @throws AppError `forbidden` with reason `insufficient_rank`
 */
export function assertOutranks(actor: Ranked, rank: number): void {
  if (!outranks(actor, rank)) throw forbidden('insufficient_rank')
}

/** Why an actor cannot manage a role or member; null if they can. */
export function findManageObstacle(actor: Ranked, target: RankedTarget): 'owner' | 'rank' | null {
  if (target.isOwner) return 'owner'
  return outranks(actor, target.rank) ? null : 'rank'
}

/**
 * Asserts that the actor can manage a role or member.
 * @param ownerMessage the error for the owner, who cannot change their own role and membership either
 * @throws AppError `conflict` with that message; `forbidden` with reason `insufficient_rank` for any other actor
 */
export function assertCanManage(actor: Ranked, target: RankedTarget, ownerMessage: string): void {
  const obstacle = findManageObstacle(actor, target)
  if (obstacle === 'owner' && actor.rank >= OWNER_RANK)
    throw new AppError('conflict', { message: ownerMessage })
  if (obstacle !== null) throw forbidden('insufficient_rank')
}
