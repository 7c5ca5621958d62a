import { DAY_MS } from '@reeve/core'
import { type Queries, statement, yieldToEventLoop } from '@reeve/db'

/** What an actor did since a time, from the audit log, newest first. */

/** Entries of the log that one statement examines: about 2 ms on SQLite. */
const WINDOW = 500
/** The log is in the order of time, except for entries from before a clock was set back. */
const CLOCK_TOLERANCE_MS = DAY_MS

const changesOfActor = statement<{
  workspaceId: string
  actorId: string
  from: number
  before: number
  since: number
  targetKind: string
}>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'action', 'target_id'])
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>=', p.from)
    .where('sequence', '<', p.before)
    .where('actor_id', '=', p.actorId)
    .where('at', '>=', p.since)
    .where('target_kind', '=', p.targetKind)
    .orderBy('sequence', 'desc'),
)
const newestBefore = statement<{ workspaceId: string; before: number }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('audit')
    .select('at')
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '<', p.before)
    .orderBy('sequence', 'desc')
    .limit(1),
)

export interface ActorChanges {
  readonly workspaceId: string
  readonly actorId: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** A change of a record in the audit log. */
export interface ActorChange {
  readonly sequence: number
  readonly action: string
  readonly target_id: string
}

/**
 * Reads the changes of records in the next part of the log.
 * @param before the sequence where the previous part began
 * @returns the changes, newest first, and where the next part ends; null at the end
 */
export async function readChangesBefore(
  db: Queries,
  { workspaceId, actorId, since }: ActorChanges,
  before: number,
): Promise<{ changes: readonly ActorChange[]; next: number | null }> {
  const from = Math.max(0, before - WINDOW)
  const changes = await db.all(changesOfActor, {
    workspaceId,
    actorId,
    since,
    from,
    before,
    targetKind: 'record',
  })
  return { changes, next: (await hasOlderEntries(db, workspaceId, from, since)) ? from : null }
}

/** Whether the log before a sequence can have entries since a time. */
export async function hasOlderEntries(
  db: Queries,
  workspaceId: string,
  before: number,
  since: number,
): Promise<boolean> {
  const older = before === 0 ? undefined : await db.first(newestBefore, { workspaceId, before })
  return older !== undefined && older.at >= since - CLOCK_TOLERANCE_MS
}

/** Reads all changes, part by part, newest first. */
export async function* readChanges(db: Queries, actor: ActorChanges, untilSequence: number) {
  for (let before: number | null = untilSequence + 1; before !== null; ) {
    const part: Awaited<ReturnType<typeof readChangesBefore>> = await readChangesBefore(db, actor, before)
    yield part.changes
    before = part.next
    await yieldToEventLoop()
  }
}
