import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { supersedeApproval } from '../approvals/store.ts'
import { assertSeen } from './assert-replaces.ts'
import { toRevokedColumns } from './columns.ts'
import type { ModerationChange } from './parse-change.ts'
import { findSanctions, requireRecord, updateRecord } from './record-store.ts'
import { assertCanLift, findEndingLast, isInForce, isSanction } from './sanction.ts'

/**
 * Lifts the ban or mute in force of a player, and those that are stored under other forms of the player; or the one with the given id; or, with both
 * fields, those of the player if the one with the id is among them, so that the caller knows of it.
 * @returns the one with the id, or else the one that ends last
 * @throws AppError `not_found`, `version_mismatch`, `conflict` if none is in force, or as `assertSeen`
 */
export async function lift(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'unban' | 'unmute'>,
): Promise<RecordTable> {
  const action = change.action === 'unban' ? 'ban' : 'mute'
  const withId = change.id === undefined ? undefined : await requireRecord(tx, actor, change.id)
  const ofPlayer = change.userId === undefined ? [] : await findSanctions(tx, actor, action, change.userId)
  const now = ports.now()
  const current = ofPlayer.filter((row) => isInForce(row, now))
  const sanction = withId ?? findEndingLast(current) ?? ofPlayer[0]
  if (!sanction) throw new AppError('conflict', { message: `This player has no active ${action}.` })
  if (sanction.action !== action)
    throw new AppError('conflict', { message: `This record is not a ${action}.` })
  assertVersion(sanction, change.ifMatch)
  if (!isInForce(sanction, now)) {
    throw new AppError('conflict', { message: `This ${action} is no longer in force.` })
  }
  if (change.userId !== undefined && !current.some(({ id }) => id === sanction.id))
    throw new AppError('conflict', { message: `This ${action} is one of another player.` })
  const others = current.filter(({ id }) => id !== sanction.id)
  await assertSeen(tx, actor, change, [sanction, ...others], now)
  for (const other of others) await markRevoked(tx, ports, actor, change, other)
  return markRevoked(tx, ports, actor, change, sanction)
}

/**
 * Revokes a record, whatever its status; a sanction in force ends.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` if it is already revoked, `forbidden` if it is in force and
 *   the actor may not lift it
 */
export async function revoke(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'revoke'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  if (row.revoked_at !== null) throw new AppError('conflict', { message: 'This record is already revoked.' })
  if (isSanction(row) && isInForce(row, ports.now())) assertCanLift(actor, row)
  return markRevoked(tx, ports, actor, change, row)
}

async function markRevoked(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'unban' | 'unmute' | 'revoke'>,
  row: RecordTable,
): Promise<RecordTable> {
  const now = ports.now()
  await supersedeApproval(tx, row, now, actor.id)
  const revoked = toRevokedColumns(actor, change, now, change.reason)
  return updateRecord(tx, ports, actor, { auditAction: change.action, change }, row, revoked)
}
