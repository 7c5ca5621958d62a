import { type Actor, AppError, assertVersion, type Ports, wire } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { parseValue } from './codecs.ts'
import { type ModerationChange, requireField } from './parse-change.ts'
import { playerNameColumns, requireRecord, updateRecord } from './record-store.ts'
import { assertNotRedacted } from './redact.ts'
import { assertCanChangeExpiry, computeExpiry, isInForce, isSanction, type Sanction } from './sanction.ts'

/**
 * Corrects a record.
 * @throws AppError `not_found`, `version_mismatch`, `conflict`, and `forbidden` where the duration is changed by one who
 *   may not impose or lift
 */
export async function edit(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  const { reason, severity, evidence, durationSeconds, userUsername } = change
  if (reason !== undefined || evidence !== undefined) assertNotRedacted(row)
  return updateRecord(tx, ports, actor, { auditAction: 'edit', change }, row, {
    ...(reason !== undefined && { reason }),
    ...(severity !== undefined && { severity }),
    ...(evidence !== undefined && { evidence: JSON.stringify(evidence) }),
    ...(userUsername !== undefined && playerNameColumns(userUsername)),
    ...(durationSeconds !== undefined && durationColumns(ports, actor, row, durationSeconds)),
  })
}

/**
 * Moves the end of a ban or mute by so many seconds, either way.
 * @throws AppError as `edit`; `conflict` where it has no end to move
 */
export async function extend(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
): Promise<RecordTable> {
  const seconds = parseValue(wire.durationChange, requireField(change, 'value'))
  const row = await requireRecord(tx, actor, requireField(change, 'id'))
  assertVersion(row, change.ifMatch)
  assertInForce(ports, row)
  if (row.duration_seconds === null) {
    throw new AppError('conflict', {
      message: `This ${row.action} is without end, so there is none to move; edit durationSeconds to give it one.`,
    })
  }
  const changes = durationColumns(ports, actor, row, row.duration_seconds + seconds)
  return updateRecord(tx, ports, actor, { auditAction: 'extend', change }, row, changes)
}

function assertInForce(ports: Ports, row: RecordTable): asserts row is Sanction {
  if (!isSanction(row)) {
    throw new AppError('conflict', { message: `A ${row.action} has no duration; only bans and mutes have.` })
  }
  if (!isInForce(row, ports.now())) {
    throw new AppError('conflict', {
      message: `This ${row.action} is not in force any more, so its duration cannot be changed.`,
    })
  }
}

/** What makes a restraint in force run for so many seconds, counted from its beginning; null is without end. */
function durationColumns(
  ports: Ports,
  actor: Actor,
  row: RecordTable,
  seconds: number | null,
): Pick<RecordTable, 'duration_seconds' | 'expires_at'> {
  assertInForce(ports, row)
  if (seconds !== null && seconds > wire.MAX_DURATION_SECONDS) {
    throw new AppError('conflict', {
      message: `It would run for more than ${wire.MAX_DURATION_SECONDS} seconds; edit durationSeconds to permanent.`,
    })
  }
  const expires_at = computeExpiry(row.created_at, seconds)
  if (expires_at !== null && expires_at <= ports.now()) {
    throw new AppError('conflict', {
      message: `This ${row.action} would have ended in the past; lift it with un${row.action} instead.`,
    })
  }
  assertCanChangeExpiry(actor, row, expires_at)
  return { duration_seconds: seconds, expires_at }
}
