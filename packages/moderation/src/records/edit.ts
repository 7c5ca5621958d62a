import { type Actor, AppError, assertVersion, type Ports, redactedTexts, wire } from '@reeve/core'
import { isSameRow, type RecordTable, type Transaction } from '@reeve/db'
import { assertCanChangeDuration, assertCanEdit } from '../limits/assert-limits.ts'
import { assertCanReplaceEvidence } from './additions-limit.ts'
import { toRecordColumns } from './columns.ts'
import type { ModerationChange } from './parse-change.ts'
import { assertNotRedacted, requireRecord, updateRecord } from './record-store.ts'
import { assertCanChangeExpiry, computeExpiry, isInForce, isSanction, type Sanction } from './sanction.ts'

/**
 * Edits a record. An edit that changes nothing keeps the version.
 * @throws AppError `not_found`, `version_mismatch`, `conflict`, and `forbidden` if the duration changes and the actor may
 *   not impose or lift the sanction, or if the change exceeds a limit of the actor
 */
export async function edit(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'edit'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  const columns = toRecordColumns(change)
  if (Object.keys(columns).some((column) => column in redactedTexts)) assertNotRedacted(row)
  const { durationSeconds, evidence } = change
  if (evidence !== undefined) assertCanReplaceEvidence(row, evidence ?? [])
  const changes = {
    ...columns,
    ...(durationSeconds !== undefined && (await replaceDuration(tx, ports, actor, row, durationSeconds))),
  }
  const after = { ...row, ...changes }
  if (isSameRow(row, after)) return row
  assertCanEdit(actor, row, after)
  return updateRecord(tx, ports, actor, { auditAction: 'edit', change }, row, changes)
}

/**
 * Lengthens or shortens a ban or mute by `value` seconds, from its present end: the duration of an imported one counts from before its
 * creation here.
 * @throws AppError as `edit`; `conflict` if the sanction is permanent
 */
export async function extend(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange<'extend'>,
): Promise<RecordTable> {
  const row = await requireRecord(tx, actor, change.id)
  assertVersion(row, change.ifMatch)
  assertInForce(ports, row)
  if (row.expires_at === null) {
    throw new AppError('conflict', {
      message: `This ${row.action} is permanent and cannot be extended; set durationSeconds instead.`,
    })
  }
  const changes = {
    duration_seconds: Math.ceil((row.expires_at - row.created_at) / 1000) + change.value,
    expires_at: computeExpiry(row.expires_at, change.value),
  }
  await assertDurationChange(tx, ports, actor, row, changes)
  return updateRecord(tx, ports, actor, { auditAction: 'extend', change }, row, changes)
}

function assertInForce(ports: Ports, row: RecordTable): asserts row is Sanction {
  if (!isSanction(row)) {
    throw new AppError('conflict', { message: `A ${row.action} has no duration; only bans and mutes do.` })
  }
  if (!isInForce(row, ports.now())) {
    throw new AppError('conflict', {
      message: `This ${row.action} is no longer in force, so its duration cannot be changed.`,
    })
  }
}

type DurationColumns = Pick<RecordTable, 'duration_seconds' | 'expires_at'>

/** The columns that a new duration changes: none if it is the one that the record shows. @param seconds null is permanent */
async function replaceDuration(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: RecordTable,
  seconds: number | null,
): Promise<Partial<DurationColumns>> {
  assertInForce(ports, row)
  if (seconds === row.duration_seconds) return {}
  const changes = { duration_seconds: seconds, expires_at: computeExpiry(row.created_at, seconds) }
  await assertDurationChange(tx, ports, actor, row, changes)
  return changes
}

/** Asserts that the actor may give a sanction in force a new duration. @throws AppError as `edit` */
async function assertDurationChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: Sanction,
  { duration_seconds: seconds, expires_at }: DurationColumns,
): Promise<void> {
  if (seconds !== null && seconds > wire.MAX_DURATION_SECONDS) {
    throw new AppError('conflict', {
      message: `The duration would exceed ${wire.MAX_DURATION_SECONDS} seconds; set durationSeconds to permanent instead.`,
    })
  }
  if (expires_at !== null && expires_at <= ports.now()) {
    throw new AppError('conflict', {
      message: `This ${row.action} would already have expired; lift it with un${row.action} instead.`,
    })
  }
  assertCanChangeExpiry(actor, row, expires_at)
  await assertCanChangeDuration(tx, actor, row, seconds, expires_at, ports.now())
}
