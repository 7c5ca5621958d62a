import { type Actor, expiresBefore } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { countEvidence } from '../evidence-files/count-evidence.ts'
import { isInForce, isSanction } from '../records/sanction.ts'
import { assertWithinStep } from '../templates/override.ts'
import { assertCanCreate, assertCanEdit, assertDuration } from './assert-limits.ts'
import { assertOutranksPlayer } from './members-of-player.ts'
import { assertBansPerHour } from './recent-bans.ts'

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
  /** Epoch milliseconds. */
  readonly now: number
}

/** Whether a record counts again that somebody has ended, or a sanction is in force again that has expired. */
const isBack = ({ before, after, now }: Restoration): boolean =>
  (before.ended !== null && after.ended === null) || (!isInForce(before, now) && isInForce(after, now))

/** Whether all comes back as others have decided it. */
const isOwnUndone = ({ after, origin, isOwn }: Restoration): boolean =>
  isOwn && LIMITED_COLUMNS.every((column) => after[column] === origin[column])

/** Whether a ban comes back that counts as one of the actor's bans. */
export const countsAsBan = (restoration: Restoration): boolean =>
  restoration.after.action === 'ban' && isBack(restoration) && !isOwnUndone(restoration)

/**
 * Asserts that the actor may take changes of a record back. Who takes back only their own changes needs no limit, because what comes back
 * is what others have decided; taking back those of others needs what the same change needs. A member whom the actor does not outrank is
 * protected from both. Who takes back the changes of others needs one of their bans per hour for a ban that comes back.
 * @throws AppError `forbidden` as `assertCanCreate`, `assertCanEdit`, `assertWithinStep` and `assertDuration`
 */
export async function assertCanRestore(
  tx: Transaction,
  actor: Actor,
  restoration: Restoration,
): Promise<void> {
  const { before, after, now } = restoration
  const comesBack = isBack(restoration)
  const isLonger =
    isSanction(after) && after.in_force === 1 && expiresBefore(before.expires_at, after.expires_at)
  if ((comesBack && after.action !== 'note') || isLonger) await assertOutranksPlayer(tx, actor, after.user_id)
  if (isOwnUndone(restoration)) return
  assertCanEdit(actor, before, after)
  if (comesBack) {
    const { action, user_id: userId, severity } = after
    await assertCanCreate(tx, actor, { action, userId, severity, evidenceCount: countEvidence(after) })
  }
  if (!isSanction(after) || !(comesBack || isLonger)) return
  await assertWithinStep(tx, actor, after, after.duration_seconds)
  assertDuration(actor, after.action, after.duration_seconds)
  if (countsAsBan(restoration)) await assertBansPerHour(tx, actor, now)
}
