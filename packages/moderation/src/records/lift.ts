import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { type ModerationChange, requireField } from './parse-change.ts'
import { findSanction, requireRecord, updateRecord } from './record-store.ts'
import { assertCanLift, isInForce, isSanction, type Sanction } from './sanction.ts'

/**
 * Ends the ban or mute that is in force, found by player or by its own id, and keeps who, when and why.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` where none is in force
 */
export async function lift(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: Sanction['action'],
  change: ModerationChange,
): Promise<RecordTable> {
  const sanction =
    change.id === undefined
      ? await findSanction(tx, actor, action, requireField(change, 'userId'))
      : await requireRecord(tx, actor, change.id)
  if (!sanction) throw new AppError('conflict', { message: `No ${action} of this player is in force.` })
  if (sanction.action !== action) throw new AppError('conflict', { message: `This record is no ${action}.` })
  assertVersion(sanction, change.ifMatch)
  if (!isInForce(sanction, ports.now())) {
    throw new AppError('conflict', { message: `This ${action} is not in force any more.` })
  }
  return markRevoked(tx, ports, actor, change, sanction)
}

/**
 * Takes a record back, whatever has become of it; one in force ends with that.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` where it was taken back before, `forbidden` where it is
 *   in force and the actor may not lift it
 */
export async function revoke(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  if (row.revoked_at !== null) throw new AppError('conflict', { message: 'This record is revoked already.' })
  if (isSanction(row) && isInForce(row, ports.now())) assertCanLift(actor, row)
  return markRevoked(tx, ports, actor, change, row)
}

const markRevoked = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
  row: RecordTable,
): Promise<RecordTable> =>
  updateRecord(tx, ports, actor, { auditAction: change.action, change }, row, {
    ended: 'revoked',
    in_force: 0,
    revoked_at: ports.now(),
    revoked_by: actor.id,
    revoke_reason: change.reason || null,
  })
