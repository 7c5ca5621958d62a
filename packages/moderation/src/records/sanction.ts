import {
  type Actor,
  expiryChangePermission,
  findLastToEnd,
  isSanctionKind,
  LIFT_PERMISSIONS,
  type RecordStatus,
  requirePermission,
  type SanctionKind,
  wire,
} from '@reeve/core'
import type { RecordTable } from '@reeve/db'

/** The pure rules of status and expiry. Times are epoch milliseconds; null is permanent. */

type EndColumns = Pick<RecordTable, 'ended' | 'expires_at'>

/** Whether the expiry has passed: true from the millisecond of `expires_at`. */
export const hasExpired = (row: Pick<RecordTable, 'expires_at'>, now: number): boolean =>
  row.expires_at !== null && row.expires_at <= now

/** The status of a record at `now`. It does not depend on a job that marks records as expired. */
export const getStatus = (row: EndColumns, now: number): RecordStatus =>
  row.ended ?? (hasExpired(row, now) ? 'expired' : 'active')

/** Whether this ban or mute is in force at `now`. */
export const isInForce = (row: EndColumns & Pick<RecordTable, 'in_force'>, now: number): boolean =>
  row.in_force === 1 && !hasExpired(row, now)

/** The one of several sanctions of a player that counts: the one that ends last. Undefined if there are none. */
export const findEndingLast = <Row extends Pick<RecordTable, 'expires_at' | 'case_number'>>(
  rows: Iterable<Row>,
): Row | undefined =>
  findLastToEnd(rows, ({ expires_at, case_number }) => ({
    expiresAt: expires_at,
    caseNumber: case_number,
  })) ?? undefined

/** The expiry of a sanction, `seconds` from a time on, limited to the year 9999, the last that the wire format can represent. */
export const computeExpiry = (from: number, seconds: number | null): number | null =>
  seconds === null ? null : Math.min(from + seconds * 1000, wire.MAX_TIME)

/** A ban or mute. */
export type Sanction = RecordTable & { action: SanctionKind }

export const isSanction = (row: RecordTable): row is Sanction => isSanctionKind(row.action)

/** @throws AppError `forbidden` if the actor may not lift this sanction */
export const assertCanLift = (actor: Actor, row: Sanction): void =>
  requirePermission(actor, LIFT_PERMISSIONS[row.action])

/** @throws AppError `forbidden` naming the permission, if the actor may not move the expiry of this sanction */
export function assertCanChangeExpiry(actor: Actor, row: Sanction, expiresAt: number | null): void {
  const permission = expiryChangePermission(row.action, row.expires_at, expiresAt)
  if (permission) requirePermission(actor, permission)
}
