import { appendAuditEntry, INSTANCE_CHAIN, WORKSPACE_REMOVAL } from '@reeve/audit'
import { createFailureCollector, createSystemActor, doWork, type Ports } from '@reeve/core'
import {
  type Database,
  type DeletedWorkspaceTable,
  insertAll,
  removeSomePlayerNames,
  runInSlices,
  sqlLiteral,
  statement,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { getRowsPerTransaction } from '../jobs/cleanup.ts'
import { endJob } from '../jobs/end-job.ts'
import { findUnfinishedJob } from '../jobs/job-store.ts'
import { presentWorkspace } from '../model.ts'
import { tableDeletions } from './table-deletions.ts'

const dueWorkspaces = statement<{ now: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select('id')
    .where('delete_at', 'is not', null)
    .where('delete_at', '<=', p.now)
    .where('hidden', 'is', null),
)
const dueById = statement<{ workspaceId: string; now: number }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .selectAll()
    .where('id', '=', p.workspaceId)
    .where('delete_at', '<=', p.now)
    .where('hidden', 'is', null),
)
const hideWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .updateTable('workspace')
    .set({ hidden: sqlLiteral('purging') })
    .where('id', '=', p.workspaceId),
)
const deleteHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('workspace_head').where('workspace_id', '=', p.workspaceId),
)
const deleteWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('workspace').where('id', '=', p.workspaceId).where('hidden', '=', sqlLiteral('purging')),
)
const insertDeleted = statement<DeletedWorkspaceTable>()((sql, p) => insertAll(sql, 'deleted_workspace', p))
const unfinishedDeletion = statement<{ after: string }>()((sql, p) =>
  sql
    .selectFrom('deleted_workspace')
    .selectAll()
    .where('finished_at', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1),
)
const finishDeletion = statement<{ id: string; now: number }>()((sql, p) =>
  sql
    .updateTable('deleted_workspace')
    .set({ finished_at: p.now })
    .where('id', '=', p.id)
    .where('finished_at', 'is', null),
)
const deleteKeys = statement<{ workspaceId: string; ids: readonly string[] }>()((sql, p, dialect) =>
  sql.deleteFrom('api_key').where('workspace_id', '=', p.workspaceId).where(dialect.inList('id', p.ids)),
)
const someKeys = statement<{ workspaceId: string; limit: number }>()((sql, p) =>
  sql.selectFrom('api_key').select('id').where('workspace_id', '=', p.workspaceId).limit(p.limit),
)

/** The server, as the one who deletes what was requested before. */
const actor = createSystemActor('', 'scheduled deletion')

/** Keys per transaction: each is announced, so that no process accepts it any more. */
const KEYS_PER_TRANSACTION = 100

/**
 * Deletes every workspace whose deletion was requested `DELETION_UNDO_DAYS` ago, with everything in it, in small transactions between which
 * other requests run. What was interrupted continues with the next call. Images and files in a bucket that no
 * other workspace uses are found by `deleteUnusedImages` and `deleteUnusedEvidence` then.
 * @param onDeleted called for each workspace of which nothing is left
 * @throws the first error, after the other workspaces have been deleted
 */
export async function purgeWorkspaces(
  db: Database,
  ports: Ports,
  signal: AbortSignal,
  onDeleted: (workspace: { readonly id: string; readonly groupName: string }) => void,
): Promise<void> {
  const failures = createFailureCollector()
  for (const { id } of await db.read.all(dueWorkspaces, { now: ports.now() })) {
    if (signal.aborted) break
    await failures.attempt(() => db.write((tx) => beginPurge(tx, ports, id)), describeDeletion(id))
  }
  await failures.attempt(() =>
    doWork<DeletedWorkspaceTable>(signal, {
      findNext: (failed) => db.read.first(unfinishedDeletion, { after: failed?.id ?? '' }),
      async run(deleted) {
        const isFinished = await finishPurge(db, ports, deleted, signal)
        if (isFinished) onDeleted({ id: deleted.deleted_workspace_id, groupName: deleted.group_name })
      },
      describe: ({ deleted_workspace_id }) => describeDeletion(deleted_workspace_id),
    }),
  )
  failures.throwFirst()
}

const describeDeletion = (workspaceId: string): string => `the deletion of workspace ${workspaceId}`

/**
 * Makes a workspace disappear for everyone: there is no way back. Its audit chain loses its head at once, and the entry of the
 * instance explains to the verification why.
 */
async function beginPurge(tx: Transaction, ports: Ports, workspaceId: string): Promise<void> {
  const now = ports.now()
  const workspace = await tx.first(dueById, { workspaceId, now })
  // Somebody may have undone the request, or another process may have begun.
  if (!workspace) return
  const job = await findUnfinishedJob(tx, workspaceId)
  if (job) await endJob(tx, ports, { ...actor, workspaceId }, job, 'cancelled', 'The workspace was deleted.')
  await appendAuditEntry(tx, ports, actor, {
    action: WORKSPACE_REMOVAL,
    target: { kind: 'workspace', id: workspaceId },
    before: presentWorkspace(workspace),
    chain: INSTANCE_CHAIN,
  })
  await tx.run(hideWorkspace, { workspaceId })
  await tx.run(deleteHead, { workspaceId })
  await tx.run(insertDeleted, {
    id: ports.newId(),
    deleted_workspace_id: workspaceId,
    group_name: workspace.group_name,
    owner_id: workspace.owner_id,
    deleted_at: now,
    finished_at: null,
  })
  tx.announce({ kind: 'workspace', workspaceId, id: workspaceId })
}

/** @returns whether this call has deleted the last of it; false also if another process has, and after an interruption */
async function finishPurge(
  db: Database,
  ports: Ports,
  { id, deleted_workspace_id: workspaceId }: DeletedWorkspaceTable,
  signal: AbortSignal,
): Promise<boolean> {
  await deleteEverything(db, workspaceId, signal)
  if (signal.aborted) return false
  await db.write((tx) => tx.run(deleteWorkspace, { workspaceId }))
  // A request that was in progress may have written to tables without references.
  await deleteEverything(db, workspaceId, signal)
  if (signal.aborted) return false
  return (await db.write((tx) => tx.run(finishDeletion, { id, now: ports.now() }))) > 0
}

async function deleteEverything(db: Database, workspaceId: string, signal: AbortSignal): Promise<void> {
  await revokeKeys(db, workspaceId, signal)
  while (!signal.aborted && (await db.write((tx) => removeSomePlayerNames(tx, workspaceId))))
    await yieldToEventLoop()
  for (const [table, deletion] of tableDeletions) {
    await runInSlices(db, deletion, { workspaceId }, signal, getRowsPerTransaction(table))
  }
}

async function revokeKeys(db: Database, workspaceId: string, signal: AbortSignal): Promise<void> {
  const limit = KEYS_PER_TRANSACTION
  for (let count = limit; count === limit && !signal.aborted; ) {
    count = await db.write(async (tx) => {
      const ids = (await tx.all(someKeys, { workspaceId, limit })).map(({ id }) => id)
      for (const id of ids) tx.announce({ kind: 'api_key', workspaceId, id })
      if (ids.length > 0) await tx.run(deleteKeys, { workspaceId, ids })
      return ids.length
    })
  }
}
