import { type Actor, AppError, assertVersion, type Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { type Change, given } from './change.ts'
import { isInForce, isRestraint, needToLift, type Restraint } from './force.ts'
import { changeRow, recordById, restraintOn } from './rows.ts'

/**
 * Ends the ban or mute that is in force, found by player or by its own id, and keeps who, when and why.
 * @throws AppError `not_found`, `version_mismatch`, `conflict` where none is in force
 */
export async function lift(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  action: Restraint['action'],
  change: Change,
): Promise<RecordTable> {
  const held =
    change.id === undefined
      ? await restraintOn(tx, actor, action, given(change, 'userId'))
      : await recordById(tx, actor, change.id)
  if (!held) throw new AppError('conflict', { message: `No ${action} of this player is in force.` })
  if (held.action !== action) throw new AppError('conflict', { message: `This record is no ${action}.` })
  assertVersion(held, change.ifMatch)
  if (!isInForce(held, ports.now())) {
    throw new AppError('conflict', { message: `This ${action} is not in force any more.` })
  }
  return end(tx, ports, actor, change, held)
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
  change: Change,
): Promise<RecordTable> {
  const row = await recordById(tx, actor, given(change, 'id'))
  assertVersion(row, change.ifMatch)
  if (row.revoked_at !== null) throw new AppError('conflict', { message: 'This record is revoked already.' })
  if (isRestraint(row) && isInForce(row, ports.now())) needToLift(actor, row)
  return end(tx, ports, actor, change, row)
}

const end = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: Change,
  row: RecordTable,
): Promise<RecordTable> =>
  changeRow(tx, ports, actor, { verb: change.action, change }, row, {
    ended: 'revoked',
    in_force: 0,
    revoked_at: ports.now(),
    revoked_by: actor.id,
    revoke_reason: change.reason || null,
  })
