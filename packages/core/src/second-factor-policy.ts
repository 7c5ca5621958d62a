import { DAY_MS } from './duration.ts'
import type { Permission } from './permission-catalog.ts'

/** Which roles of a workspace need a second factor, and from when their members cannot use it without one. Pure. */

/** What a workspace requires. */
export interface SecondFactorPolicy {
  /** Members who have a role with one of these permissions need a second factor. Not empty. */
  readonly permissions: readonly Permission[]
  /** How many days members have to add one. */
  readonly graceDays: number
}

/** The longest grace period, in days. */
export const MAX_GRACE_DAYS = 90

/** How many recovery codes an account gets. */
export const RECOVERY_CODES = 10

/** Whether the members with a role need a second factor. @param policy null if the workspace requires none */
export const doesRoleNeedSecondFactor = (
  role: { readonly permissions: readonly Permission[]; readonly isOwner: boolean },
  policy: SecondFactorPolicy | null,
): boolean =>
  policy !== null &&
  (role.isOwner || policy.permissions.some((permission) => role.permissions.includes(permission)))

/** An assigned role that needs a second factor. */
export interface AssignedRole {
  /** Since when the role needs one, in epoch milliseconds. */
  readonly since: number
  /** Since when the member has the role, in epoch milliseconds. */
  readonly assignedAt: number
}

/**
 * From when a member cannot use the workspace without a second factor: the grace period begins once the member has a role that needs one.
 * @param roles those that need one
 * @returns epoch milliseconds; null without such a role
 */
export const findSecondFactorDueTime = (roles: readonly AssignedRole[], graceDays: number): number | null =>
  roles.length === 0
    ? null
    : Math.min(...roles.map(({ since, assignedAt }) => Math.max(since, assignedAt))) + graceDays * DAY_MS
