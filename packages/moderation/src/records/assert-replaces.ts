import { type Actor, AppError, assertVersion, hasPermission, type SanctionKind } from '@reeve/core'
import type { Queries, RecordTable } from '@reeve/db'
import { readChangedRecords } from './changed-since.ts'
import type { ChangeContext, ModerationChange } from './parse-change.ts'
import { findEndingLast, isInForce, type Sanction } from './sanction.ts'
import { rebuildAtSequence } from './versions.ts'

/** What a change may replace or lift: only what its caller knows of. */

/**
 * Asserts that a new ban or mute replaces what its caller knows of: the one that `replaces` names, in the version of `ifMatch`; in a batch what was
 * in force when the batch was previewed.
 * @param current the bans or mutes of the player that are in force
 * @throws AppError `conflict` naming the one in force, if it is another one, ends at another time or none is; `version_mismatch`
 */
export async function assertReplaces(
  db: Queries,
  actor: Actor,
  change: ModerationChange<'ban' | 'mute'>,
  current: readonly Sanction[],
  now: number,
): Promise<void> {
  const { action, replaces } = change
  if (replaces !== undefined) {
    const last = findEndingLast(current)
    // A second one is stored under another form of the player, and is replaced with it.
    const expected = current.find(({ id }) => id === replaces)
    if (last && !expected) throw conflict(`This player has another active ${action}${nameCase(actor, last)}.`)
    if (replaces !== null && !expected) throw conflict(`This player has no active ${action} to replace.`)
    if (expected) {
      const message = `The active ${action} has changed since the version in If-Match${nameCase(actor, expected)}.`
      assertVersion(expected, change.ifMatch, message)
    }
  }
  await assertSeen(db, actor, change, current, now)
  const lifted = current.length === 0 ? await findLiftedSince(db, actor, change, now) : null
  if (lifted) throw changedMeanwhile(`the ${action} of this player was lifted`, actor, lifted)
}

/**
 * Asserts that the sanctions of a player were in force when a batch was previewed, with the end that they have now.
 * @throws AppError `conflict` naming the one that was not
 */
export async function assertSeen(
  db: Queries,
  actor: Actor,
  { seenSequence }: ChangeContext,
  current: readonly RecordTable[],
  now: number,
): Promise<void> {
  if (seenSequence === undefined) return
  for (const row of current) {
    const seen = await rebuildAtSequence(db, row, seenSequence)
    if (seen !== null && isInForce(seen, now) && seen.expires_at === row.expires_at) continue
    throw changedMeanwhile(
      seen === null
        ? `this player got another ${row.action}`
        : `the end of the ${row.action} of this player was changed`,
      actor,
      row,
    )
  }
}

/** The sanction of a player that was in force when a batch was previewed, and has been lifted or revoked since. */
async function findLiftedSince(
  db: Queries,
  actor: Actor,
  {
    action,
    userId,
    seenSequence,
  }: { readonly action: SanctionKind; readonly userId: string } & ChangeContext,
  now: number,
): Promise<RecordTable | null> {
  if (seenSequence === undefined) return null
  const changed = readChangedRecords(db, actor, { userId, seenSequence }, (row) => row.action === action)
  for await (const { record, seen } of changed) if (seen !== null && isInForce(seen, now)) return record
  return null
}

const conflict = (message: string): AppError => new AppError('conflict', { message })

/** The error about what somebody else did to a record after the preview of a batch. @param what the rest of the sentence */
export const changedMeanwhile = (what: string, actor: Actor, row: RecordTable): AppError =>
  conflict(
    `In the meantime, ${what}${nameCase(actor, row)}. Nothing was done: check the case, then try again.`,
  )

/** `: case 12 by robin`; nothing for those who may not view it. */
function nameCase(actor: Actor, { case_number, actor_username }: RecordTable): string {
  if (!hasPermission(actor, 'moderation.view')) return ''
  return `: case ${case_number}${actor_username === null ? '' : ` by ${actor_username}`}`
}
