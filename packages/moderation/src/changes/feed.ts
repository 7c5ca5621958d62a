import { BULK_ACTION, type HistoryPosition, type HistoryReader } from '@reeve/audit'
import { AppError, type SanctionKind } from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { hasExpired } from '../records/sanction.ts'
import { presentSanction, sanctionsOfPlayers } from '../sanctions.ts'
import type { Change } from './model.ts'

/**
 * The feed reads the audit log: its sequence has no gaps and is in the order of the commits, so a change costs nothing more than
 * its own entry.
 */

const entryBySequence = statement<{ workspaceId: string; sequence: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('audit')
    .select('sequence')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)
const changedRecordIds = statement<{
  workspaceId: string
  since: number
  until: number
  targetKind: string
  leftOut: string
  limit: number
}>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'target_id'])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.since)
    .where('sequence', '<=', p.until)
    .where('target_kind', '=', p.targetKind)
    .where('action', '!=', p.leftOut)
    .orderBy('sequence')
    .limit(p.limit),
)
const recordsByIds = statement<{ workspaceId: string; ids: readonly string[] }>({ isLookup: true })(
  (sql, p, dialect) =>
    sql
      .selectFrom('record')
      .select(['id', 'action', 'user_id', 'case_number'])
      .where('workspace_id', '=', p.workspaceId)
      .where(dialect.inList('id', p.ids)),
)

/** How many entries of the audit log one step reads; other changes than those of records are among them. */
const MAX_ENTRIES = 5000
/** A follower that is further behind reads the snapshot, which takes less time than so many changes. */
const MAX_BEHIND = 100_000

/** What a follower has got. */
export interface FeedPosition {
  readonly workspaceId: string
  readonly since: number
  readonly epoch: string
}

/** A part of the feed. */
export interface FeedPage {
  readonly changes: readonly Change[]
  readonly next: number
  readonly hasMore: boolean
}

const cursorGone = (message: string) =>
  new AppError('cursor_gone', { message: `${message} Read the snapshot, and continue from its sequence.` })

/**
 * Reads the current state of every player whose sanctions have changed.
 * @param limit how many changes are read at most
 * @param now epoch milliseconds; a sanction that has expired is not in force
 * @throws AppError `cursor_gone`
 */
export async function readFeed(
  db: Queries,
  history: HistoryReader,
  { workspaceId, since, epoch }: FeedPosition,
  kinds: readonly SanctionKind[],
  limit: number,
  now: number,
): Promise<FeedPage> {
  const { sequence, feedFrom } = await findPosition(history, { workspaceId, since, epoch })
  if (since < feedFrom) throw cursorGone('Many records have changed at once, or were deleted.')
  if (sequence <= since) return { changes: [], next: since, hasMore: false }
  if (sequence - since > MAX_BEHIND) throw cursorGone('This sequence is too old.')
  // The log of a copy begins at the sequence of its archive.
  if (!(await db.first(entryBySequence, { workspaceId, sequence: since + 1 })))
    throw cursorGone('The log does not go back to this sequence.')
  const until = Math.min(sequence, since + MAX_ENTRIES)
  const entries = await db.all(changedRecordIds, {
    workspaceId,
    since,
    until,
    targetKind: 'record',
    leftOut: BULK_ACTION,
    limit,
  })
  const next = entries.length < limit ? until : (entries.at(-1)?.sequence ?? until)
  const changes = await readStates(db, workspaceId, entries, kinds, now)
  return { changes, next, hasMore: next < sequence }
}

/** @throws AppError `cursor_gone` for another epoch, or a sequence that does not exist yet */
async function findPosition(history: HistoryReader, position: FeedPosition): Promise<HistoryPosition> {
  const isUpToDate = ({ epoch, sequence }: HistoryPosition) =>
    epoch === position.epoch && position.since <= sequence
  const cached = await history.getCached(position.workspaceId)
  if (isUpToDate(cached)) return cached
  // Another process may have sent the follower further than this one has heard of.
  const current = await history.read(position.workspaceId)
  if (isUpToDate(current)) return current
  throw cursorGone(
    current.epoch === position.epoch
      ? 'This sequence is in the future.'
      : 'The history of the workspace has changed.',
  )
}

interface Entry {
  readonly sequence: number
  readonly target_id: string
}

/** The state of each kind and player that the entries are about, by the sequence of its last entry. */
async function readStates(
  db: Queries,
  workspaceId: string,
  entries: readonly Entry[],
  kinds: readonly SanctionKind[],
  now: number,
): Promise<Change[]> {
  const sequences = new Map(entries.map(({ sequence, target_id }) => [target_id, sequence]))
  if (sequences.size === 0) return []
  const records = await db.all(recordsByIds, {
    workspaceId,
    ids: [...sequences.keys()],
  })
  const states = await Promise.all(
    kinds.map(async (kind) => {
      const ended = new Map<string, { sequence: number; recordId: string; caseNumber: number }>()
      for (const { id, action, user_id, case_number } of records) {
        const sequence = sequences.get(id) ?? 0
        if (action === kind && sequence > (ended.get(user_id)?.sequence ?? 0))
          ended.set(user_id, { sequence, recordId: id, caseNumber: case_number })
      }
      if (ended.size === 0) return []
      const userIds = [...ended.keys()]
      const current = await db.all(sanctionsOfPlayers, { workspaceId, kind, userIds })
      const inForce = new Map(current.filter((row) => !hasExpired(row, now)).map((row) => [row.user_id, row]))
      return [...ended].map(([userId, { sequence, recordId, caseNumber }]): Change => {
        const row = inForce.get(userId)
        return row
          ? { sequence: String(sequence), op: 'set', ...presentSanction(kind, row) }
          : {
              sequence: String(sequence),
              op: 'clear',
              kind,
              userId,
              recordId,
              caseNumber: String(caseNumber),
              expiresAt: null,
              reason: null,
              appealCode: null,
            }
      })
    }),
  )
  return states.flat().sort((one, other) => Number(one.sequence) - Number(other.sequence))
}
