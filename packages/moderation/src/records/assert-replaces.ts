import {
  type Actor,
  AppError,
  assertVersion,
  hasPermission,
  listPlayerKeys,
  type SanctionKind,
} from '@reeve/core'
import { type Queries, type RecordTable, statement } from '@reeve/db'
import type { ChangeContext, ModerationChange } from './parse-change.ts'
import { requireRecord } from './record-store.ts'
import { isInForce, type Sanction } from './sanction.ts'
import { rebuildAtSequence } from './versions.ts'

/** What a change may replace or lift: only what its caller knows of. */

/** The newest records of a player among which an ended sanction is searched. */
const RECORDS_LIMIT = 100

const newestRecords = statement<{ workspaceId: string; userIds: readonly string[]; limit: number }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom(dialect.withIndexHint('record', 'record_by_player'))
      .select(['id', 'action', 'sequence'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('user_id', p.userIds))
      .orderBy('case_number', 'desc')
      .limit(p.limit),
)

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
    const other = current.find(({ id }) => id !== replaces)
    if (other) throw conflict(`This player has another active ${action}${nameCase(actor, other)}.`)
    if (replaces !== null && current.length === 0)
      throw conflict(`This player has no active ${action} to replace.`)
    for (const row of current) {
      const message = `The active ${action} has changed since the version in If-Match${nameCase(actor, row)}.`
      assertVersion(row, change.ifMatch, message)
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
  const { workspaceId, platforms } = actor
  const userIds = listPlayerKeys(userId, platforms)
  for (const row of await db.all(newestRecords, { workspaceId, userIds, limit: RECORDS_LIMIT })) {
    if (row.action !== action || row.sequence <= seenSequence) continue
    const record = await requireRecord(db, actor, row.id)
    const seen = await rebuildAtSequence(db, record, seenSequence)
    if (seen !== null && isInForce(seen, now)) return record
  }
  return null
}

const conflict = (message: string): AppError => new AppError('conflict', { message })

const changedMeanwhile = (what: string, actor: Actor, row: RecordTable): AppError =>
  conflict(
    `In the meantime, ${what}${nameCase(actor, row)}. Nothing was done: check the case, then try again.`,
  )

/** `: case 12 by robin`; nothing for those who may not view it. */
function nameCase(actor: Actor, { case_number, actor_username }: RecordTable): string {
  if (!hasPermission(actor, 'moderation.view')) return ''
  return `: case ${case_number}${actor_username === null ? '' : ` by ${actor_username}`}`
}
