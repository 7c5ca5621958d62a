import { type Database, insertAll, statement, yieldToEventLoop } from '@reeve/db'
import { type ActivityCount, countEntries, ENTRIES_PER_PAGE, oldestEntries } from './activity-entries.ts'

/**
 * Fewer audit entries than this are left to the readers, which count them in a millisecond: a quiet workspace then costs no
 * writes.
 */
const MIN_ENTRIES = ENTRIES_PER_PAGE
const WORKSPACES_PER_PAGE = 1000

const progressPage = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_head')
    .leftJoin('activity_progress', 'activity_progress.workspace_id', 'workspace_head.workspace_id')
    .select(['workspace_head.workspace_id', 'audit_sequence', 'sequence'])
    .where('workspace_head.workspace_id', '>', p.after)
    .orderBy('workspace_head.workspace_id')
    .limit(p.limit),
)
const advanceProgress = statement<{ workspaceId: string; from: number; to: number }>()((sql, p) =>
  insertAll(sql, 'activity_progress', { workspace_id: p.workspaceId, sequence: p.to }).onConflict(
    (conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet((eb) => ({ sequence: eb.ref('excluded.sequence') }))
        .where('activity_progress.sequence', '=', p.from),
  ),
)
type Params<Count> = Count & { readonly workspaceId: string }

const addCount = statement<Params<Pick<ActivityCount, 'action' | 'quarter' | 'count'>>>()((sql, p) =>
  insertAll(sql, 'activity', {
    workspace_id: p.workspaceId,
    action: p.action,
    quarter: p.quarter,
    count: p.count,
  }).onConflict((conflict) =>
    conflict
      .columns(['workspace_id', 'action', 'quarter'])
      .doUpdateSet((eb) => ({ count: eb('activity.count', '+', eb.ref('excluded.count')) })),
  ),
)
const addCountOfActor = statement<Params<ActivityCount>>()((sql, p) =>
  insertAll(sql, 'activity_by_actor', {
    workspace_id: p.workspaceId,
    quarter: p.quarter,
    actor_kind: p.actor_kind,
    actor_id: p.actor_id,
    action: p.action,
    actor_name: p.actor_name,
    count: p.count,
  }).onConflict((conflict) =>
    conflict.columns(['workspace_id', 'quarter', 'actor_kind', 'actor_id', 'action']).doUpdateSet((eb) => ({
      actor_name: eb.ref('excluded.actor_name'),
      count: eb('activity_by_actor.count', '+', eb.ref('excluded.count')),
    })),
  ),
)

/**
 * Adds the new entries of all audit logs to the counts of moderation actions, in small transactions between which other requests
 * run. Several processes may do this at once: each entry is counted once.
 */
export async function summarizeActivity(db: Database, signal: AbortSignal): Promise<void> {
  for (let after = ''; ; ) {
    const heads = await db.read.all(progressPage, { after, limit: WORKSPACES_PER_PAGE })
    for (const { workspace_id: workspaceId, audit_sequence: last, sequence } of heads) {
      if (last - (sequence ?? 0) >= MIN_ENTRIES)
        await summarizeWorkspace(db, workspaceId, sequence ?? 0, signal)
      if (signal.aborted) return
    }
    if (heads.length < WORKSPACES_PER_PAGE) return
    after = heads.at(-1)?.workspace_id ?? ''
    await yieldToEventLoop()
  }
}

/** @param from the sequence of the last entry that is included */
async function summarizeWorkspace(
  db: Database,
  workspaceId: string,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  for (let after = from; !signal.aborted; ) {
    const entries = await db.read.all(oldestEntries, { workspaceId, after, limit: ENTRIES_PER_PAGE })
    const to = entries.at(-1)?.sequence
    if (to === undefined) return
    const isAdded = await addCounts(db, workspaceId, { from: after, to }, countEntries(entries))
    // Another process has added these entries, and continues.
    if (!isAdded || entries.length < ENTRIES_PER_PAGE) return
    after = to
    await yieldToEventLoop()
  }
}

/** @returns false if another process has added these entries */
const addCounts = (
  db: Database,
  workspaceId: string,
  range: { readonly from: number; readonly to: number },
  counts: readonly ActivityCount[],
): Promise<boolean> =>
  db.write(async (tx) => {
    if ((await tx.run(advanceProgress, { workspaceId, ...range })) === 0) return false
    for (const count of counts) {
      const { action, quarter } = count
      await tx.run(addCount, { workspaceId, action, quarter, count: count.count })
      await tx.run(addCountOfActor, { workspaceId, ...count })
    }
    return true
  })
