import { type Actor, expiresBefore } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { countEvidence } from '../evidence-files/count-evidence.ts'
import { isSanction } from '../records/sanction.ts'
import { assertWithinStep } from '../templates/override.ts'
import { assertCanCreate, assertCanEdit, assertDuration } from './assert-limits.ts'
import { assertOutranksPlayer } from './linked-members.ts'
import { assertBansPerHour, countBan } from './recent-bans.ts'

/** The columns that limits are about. */
const LIMITED_COLUMNS = ['severity', 'evidence', 'evidence_files', 'expires_at', 'ended', 'in_force'] as const

/** What the selected changes of a record are taken back to. */
export interface Restoration {
  readonly before: RecordTable
  readonly after: RecordTable
  /** The record before the first of the changes. */
  readonly origin: RecordTable
  /** Whether all of the changes are the actor's own. */
  readonly isOwn: boolean
}

/**
 * Asserts that the actor may take changes of a record back. Who takes back only their own changes needs no limit, because what comes back
 * is what others have decided; taking back those of others needs what the same change needs. A member whom the actor does not outrank is
 * protected from both. A ban that comes back counts as one of the actor's bans.
 * @throws AppError `forbidden` as `assertCanCreate`, `assertCanEdit`, `assertWithinStep` and `assertDuration`
 */
export async function assertCanRestore(
  tx: Transaction,
  actor: Actor,
  { before, after, origin, isOwn }: Restoration,
  now: number,
): Promise<void> {
  const isBack = before.ended !== null && after.ended === null
  const isLonger =
    isSanction(after) && after.in_force === 1 && expiresBefore(before.expires_at, after.expires_at)
  if ((isBack && after.action !== 'note') || isLonger) await assertOutranksPlayer(tx, actor, after.user_id)
  if (isOwn && LIMITED_COLUMNS.every((column) => after[column] === origin[column])) return
  assertCanEdit(actor, before, after)
  if (isBack) {
    const { action, user_id: userId, severity } = after
    await assertCanCreate(tx, actor, { action, userId, severity, evidenceCount: countEvidence(after) })
  }
  if (!isSanction(after) || !(isBack || isLonger)) return
  await assertWithinStep(tx, actor, after, after.duration_seconds)
  assertDuration(actor, after.action, after.duration_seconds)
  if (!isBack || after.action !== 'ban') return
  await assertBansPerHour(tx, actor, now)
  await countBan(tx, actor, after.id, now)
}
