import {
  type Actor,
  expiryChangePermission,
  isSanctionKind,
  LIFT_PERMISSIONS,
  type RecordStatus,
  requirePermission,
  type SanctionKind,
  wire,
} from '@reeve/core'
import type { RecordTable } from '@reeve/db'

/** The pure rules of what is in force and until when. Times are epoch milliseconds; null is without end. */

type EndColumns = Pick<RecordTable, 'ended' | 'expires_at'>

/** Whether time has ended it: from the very millisecond of `expires_at` on. */
export const hasExpired = (row: Pick<RecordTable, 'expires_at'>, now: number): boolean =>
  row.expires_at !== null && row.expires_at <= now

/** The status of a record, true at `now` without any job having run. */
export const getStatus = (row: EndColumns, now: number): RecordStatus =>
  row.ended ?? (hasExpired(row, now) ? 'expired' : 'active')

/** Whether this ban or mute holds a player at `now`. */
export const isInForce = (row: EndColumns & Pick<RecordTable, 'in_force'>, now: number): boolean =>
  row.in_force === 1 && !hasExpired(row, now)

/**
 * When a restraint of so many seconds ends. The wire knows no time after the year 9999, so one that would run longer
 * ends with it.
 */
export const computeExpiry = (createdAt: number, seconds: number | null): number | null =>
  seconds === null ? null : Math.min(createdAt + seconds * 1000, wire.MAX_TIME)

/** A record that can be in force. */
export type Sanction = RecordTable & { action: SanctionKind }

export const isSanction = (row: RecordTable): row is Sanction => isSanctionKind(row.action)

/** @throws AppError `forbidden` where the actor may not end this one, which is in force */
export const assertCanLift = (actor: Actor, row: Sanction): void =>
  requirePermission(actor, LIFT_PERMISSIONS[row.action])

/**
 * Moving the end of a restraint in force: sooner takes what lifting takes, later what imposing takes.
 * @throws AppError `forbidden`, naming the permission
 */
export function assertCanChangeExpiry(actor: Actor, row: Sanction, expiresAt: number | null): void {
  const permission = expiryChangePermission(row.action, row.expires_at, expiresAt)
  if (permission) requirePermission(actor, permission)
}
