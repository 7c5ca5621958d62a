import { appendAuditEntry, DELETION_ACTION } from '@reeve/audit'
import { type Actor, createFailureCollector, createSystemActor, DAY_MS, type Ports } from '@reeve/core'
import {
  type Database,
  type Queries,
  type RecordTable,
  type RetentionRunTable,
  type RetentionTable,
  statement,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { newestCaseNumber } from '../records/list-statements.ts'
import { deleteRecordsForGood } from './delete-records.ts'
import { deletesAny, dueByIds, nextDue, RANGE_CASES, toCutoffs, toDay } from './due.ts'
import { findRun, saveRun, startRuns, toNewRun } from './run-store.ts'
import { loadRetention } from './settings.ts'

/** Records per transaction. A record has a dozen index entries, and changes in the audit log. */
const RECORDS_PER_SLICE = 20
const WORKSPACES_PER_PAGE = 100

/** Across workspaces: those with rules whose run of a day is not complete. */
const dueWorkspaces = statement<{ after: string; day: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('retention')
    .innerJoin('workspace', 'workspace.id', 'retention.workspace_id')
    .leftJoin('retention_run', 'retention_run.workspace_id', 'retention.workspace_id')
    .select('retention.workspace_id')
    .where('retention.workspace_id', '>', p.after)
    .where('workspace.archived_at', 'is', null)
    .where('workspace.hidden', 'is', null)
    .where((eb) =>
      eb.or([
        eb('retention_run.day', 'is', null),
        // Also one of a day in the future, which is from before a clock was set back.
        eb('retention_run.day', '<>', p.day),
        eb('retention_run.finished_at', 'is', null),
      ]),
    )
    .orderBy('retention.workspace_id')
    .limit(p.limit),
)
const workspaceState = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select(['archived_at', 'hidden']).where('id', '=', p.workspaceId),
)

const setUpdatedAt = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql.updateTable('retention').set({ updated_at: p.now }).where('workspace_id', '=', p.workspaceId),
)

/** The server, on behalf of the rules. */
const createActor = (workspaceId: string): Actor => createSystemActor(workspaceId, 'retention rules')

/**
 * Deletes the records of every workspace that its retention rules no longer keep, as of the last midnight in UTC: once a day, in small
 * transactions between which other requests run. What was interrupted continues with the next call. A workspace that is archived keeps
 * everything until it is restored.
 * @throws Error naming the first workspace whose run failed, after those of the others, or after several in a row that were `unavailable`;
 *   it is `unavailable` if all that failed were
 */
export async function applyRetention(db: Database, ports: Ports, signal: AbortSignal): Promise<void> {
  const day = toDay(ports.now())
  const failures = createFailureCollector()
  for (let after = ''; !signal.aborted; ) {
    const rows = await db.read.all(dueWorkspaces, { after, day, limit: WORKSPACES_PER_PAGE })
    for (const { workspace_id: workspaceId } of rows) {
      if (signal.aborted) break
      await failures.attempt(
        () => runInWorkspace(db, ports, workspaceId, day, signal),
        `the retention run of workspace ${workspaceId}`,
      )
    }
    if (rows.length < WORKSPACES_PER_PAGE) break
    after = rows.at(-1)?.workspace_id ?? ''
  }
  failures.throwFirst()
}

async function runInWorkspace(
  db: Database,
  ports: Ports,
  workspaceId: string,
  day: number,
  signal: AbortSignal,
): Promise<void> {
  const run = await db.write((tx) => beginRun(tx, ports, workspaceId, day))
  if (run === null) return
  const cutoffs = toCutoffs(workspaceId, await loadRetention(db.read, workspaceId), run.day * DAY_MS)
  const newest = (await db.read.first(newestCaseNumber, { workspaceId }))?.case_number ?? 0
  for (let { position } = run; position < newest; ) {
    if (signal.aborted) return
    const last = position + RANGE_CASES
    const limit = RECORDS_PER_SLICE
    const due = await db.read.all(nextDue, { ...cutoffs, after: position, last, limit })
    const next = due.length < limit ? last : (due.at(-1)?.case_number ?? last)
    const ids = due.map(({ id }) => id)
    if (ids.length > 0 && !(await db.write((tx) => deleteSlice(tx, ports, run, ids, next)))) break
    position = next
    await yieldToEventLoop()
  }
  await db.write((tx) => finishRun(tx, ports, run))
}

/** @returns null if there is nothing to do on this day */
async function beginRun(
  tx: Transaction,
  ports: Ports,
  workspaceId: string,
  day: number,
): Promise<RetentionRunTable | null> {
  const run = await findRun(tx, workspaceId)
  if (!run) {
    await startRuns(tx, workspaceId, day, ports.now())
    return null
  }
  if (run.finished_at === null) {
    if (run.day <= day) return run
    // What it has deleted still gets its entry in the log, and nothing more is deleted too early.
    const sooner = { ...run, day, position: 0 }
    await saveRun(tx, sooner)
    return sooner
  }
  if (run.day === day) return null
  const rules = await loadRules(tx, ports, workspaceId)
  const isDue = deletesAny(rules) && rules.updated_at < day * DAY_MS
  const next = { ...toNewRun(workspaceId, day), finished_at: isDue ? null : ports.now() }
  await saveRun(tx, next)
  return isDue ? next : null
}

/** The rules. A change that is dated in the future, from before a clock was set back, counts as one of now. */
async function loadRules(tx: Transaction, ports: Ports, workspaceId: string): Promise<RetentionTable> {
  const rules = await loadRetention(tx, workspaceId)
  const now = ports.now()
  if (rules.updated_at <= now) return rules
  await tx.run(setUpdatedAt, { workspaceId, now })
  return { ...rules, updated_at: now }
}

/** The run, unless another process has finished it or the workspace was archived. */
async function findUnfinished(
  db: Queries,
  { workspace_id: workspaceId, day }: Pick<RetentionRunTable, 'workspace_id' | 'day'>,
) {
  const [run, workspace] = [await findRun(db, workspaceId), await db.first(workspaceState, { workspaceId })]
  if (!run || run.day !== day || run.finished_at !== null) return null
  return !workspace || workspace.archived_at !== null || workspace.hidden !== null ? null : run
}

/** Deletes some records, unless they are needed meanwhile. @returns false if the run ends, because its rules were changed */
async function deleteSlice(
  tx: Transaction,
  ports: Ports,
  { workspace_id: workspaceId, day }: RetentionRunTable,
  ids: readonly string[],
  position: number,
): Promise<boolean> {
  const run = await findUnfinished(tx, { workspace_id: workspaceId, day })
  const rules = await loadRetention(tx, workspaceId)
  if (run === null || rules.updated_at >= day * DAY_MS) return false
  const records = await tx.all(dueByIds, { ...toCutoffs(workspaceId, rules, day * DAY_MS), ids })
  if (records.length === 0) return true
  const appeals = await deleteRecordsForGood(tx, ports, workspaceId, records)
  const count = (action: RecordTable['action']) => records.filter((record) => record.action === action).length
  await saveRun(tx, {
    ...run,
    position: Math.max(run.position, position),
    note_count: run.note_count + count('note'),
    warn_count: run.warn_count + count('warn'),
    kick_count: run.kick_count + count('kick'),
    mute_count: run.mute_count + count('mute'),
    ban_count: run.ban_count + count('ban'),
    appeal_count: run.appeal_count + appeals,
  })
  for (const id of ids) tx.announce({ kind: 'record', workspaceId, id })
  return true
}

/** Ends a run with one entry in the audit log, which has counts and no ids. */
async function finishRun(tx: Transaction, ports: Ports, begun: RetentionRunTable): Promise<void> {
  const run = await findUnfinished(tx, begun)
  if (run === null) return
  await saveRun(tx, { ...run, finished_at: ports.now() })
  const { workspace_id: workspaceId, note_count, warn_count, kick_count, mute_count, ban_count } = run
  const records = note_count + warn_count + kick_count + mute_count + ban_count
  if (records === 0) return
  const counts = {
    records,
    notes: note_count,
    warnings: warn_count,
    kicks: kick_count,
    mutes: mute_count,
    bans: ban_count,
    appeals: run.appeal_count,
  }
  await appendAuditEntry(tx, ports, createActor(workspaceId), {
    action: DELETION_ACTION,
    target: { kind: 'retention_run', id: ports.newId() },
    before: Object.fromEntries(
      Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [[name, String(count)]])),
    ),
  })
  tx.announce({ kind: 'record', workspaceId, id: workspaceId })
}
