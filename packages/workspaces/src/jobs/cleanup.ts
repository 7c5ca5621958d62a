import { createFailureCollector, DAY_MS, doWork, type Ports } from '@reeve/core'
import {
  createPartDeletion,
  type Database,
  removeSomePlayerNames,
  runInSlices,
  sqlLiteral,
  statement,
  type WorkspaceJobTable,
  type WorkspaceTable,
} from '@reeve/db'
import { contentDeletions } from '../archive/content-statements.ts'
import type { ArchiveKey } from '../archive/reader.ts'
import { tableDeletions } from '../deletion/table-deletions.ts'

/** Of rows with a part of a file. A slice of an archive has up to 128 KiB; in older archives up to some megabytes. */
const LARGE_ROWS_PER_TRANSACTION = 8

/** How many rows of a table a transaction deletes; undefined for the default, which is too many where rows have a part of a file. */
export const getRowsPerTransaction = (table: string): number | undefined =>
  table === 'archive_part' || table === 'evidence_part' ? LARGE_ROWS_PER_TRANSACTION : undefined

const deletedArchive = statement<{ after: string }>()((sql, p) =>
  sql
    .selectFrom('archive')
    .select(['workspace_id', 'id'])
    .where('deleted_at', 'is not', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1),
)
const deleteSlices = createPartDeletion('archive_part')
const deleteArchive = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('archive').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const hiddenWorkspace = statement<{ after: string }>()((sql, p) =>
  sql
    .selectFrom('workspace')
    .select('id')
    .where('hidden', '=', sqlLiteral('deleting'))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1),
)
const deleteWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('workspace').where('id', '=', p.workspaceId),
)
const finishedJobWithRows = statement<{ after: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select(['workspace_id', 'id'])
    .where((eb) => eb('has_staged_rows', '=', eb.lit(1)))
    .where('finished_at', 'is not', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1),
)
const deleteRows = createPartDeletion('workspace_job_row')
const markRowsDeleted = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('workspace_job')
    .set({ has_staged_rows: 0 })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const deleteExpired = statement<{ before: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql.deleteFrom('workspace_job').where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('workspace_id', 'id'),
      'in',
      selectFrom('workspace_job')
        .select(['workspace_id', 'id'])
        .where('finished_at', '<=', p.before)
        .where((filter) => filter('has_staged_rows', '=', filter.lit(0)))
        .orderBy('finished_at')
        .limit(p.limit)
        .$asTuple('workspace_id', 'id'),
    ),
  ),
)

/** How long finished jobs are kept. */
const JOB_TTL_MS = 30 * DAY_MS

/** Deletes jobs that finished long ago. */
export const deleteExpiredJobs = (db: Database, ports: Ports, signal?: AbortSignal): Promise<void> =>
  runInSlices(db, deleteExpired, { before: ports.now() - JOB_TTL_MS }, signal)

/** Deletes the bytes of an archive. */
export const deleteArchiveSlices = (db: Database, archive: ArchiveKey, signal: AbortSignal): Promise<void> =>
  runInSlices(
    db,
    deleteSlices,
    { workspaceId: archive.workspace_id, id: archive.id },
    signal,
    LARGE_ROWS_PER_TRANSACTION,
  )

/**
 * Deletes what is no longer used: the bytes of deleted archives, copies that were cancelled or have failed, and what jobs have
 * left behind. Each transaction is short, and an interrupted deletion continues with the next call.
 * @throws the first error, after the rest has been deleted
 */
export async function deleteLeftovers(db: Database, signal: AbortSignal): Promise<void> {
  const failures = createFailureCollector()
  await failures.attempt(() =>
    doWork<ArchiveKey>(signal, {
      findNext: (failed) => db.read.first(deletedArchive, { after: failed?.id ?? '' }),
      async run(archive) {
        await deleteArchiveSlices(db, archive, signal)
        if (signal.aborted) return
        await db.write((tx) => tx.run(deleteArchive, { workspaceId: archive.workspace_id, id: archive.id }))
      },
      describe: ({ id, workspace_id }) => `the deletion of archive ${id} in workspace ${workspace_id}`,
    }),
  )
  await failures.attempt(() =>
    doWork<Pick<WorkspaceTable, 'id'>>(signal, {
      findNext: (failed) => db.read.first(hiddenWorkspace, { after: failed?.id ?? '' }),
      async run({ id: workspaceId }) {
        await deleteContent(db, workspaceId, signal)
        if (signal.aborted) return
        await db.write((tx) => tx.run(deleteWorkspace, { workspaceId }))
      },
      describe: ({ id }) => `the deletion of the copy ${id}`,
    }),
  )
  await failures.attempt(() =>
    doWork<Pick<WorkspaceJobTable, 'workspace_id' | 'id'>>(signal, {
      findNext: (failed) => db.read.first(finishedJobWithRows, { after: failed?.id ?? '' }),
      async run({ workspace_id: workspaceId, id }) {
        await runInSlices(db, deleteRows, { workspaceId, id }, signal)
        if (signal.aborted) return
        await db.write((tx) => tx.run(markRowsDeleted, { workspaceId, id }))
      },
      describe: ({ id, workspace_id }) => `the deletion of what job ${id} left in workspace ${workspace_id}`,
    }),
  )
  failures.throwFirst()
}

/** What a copy writes besides the content of the archive. */
const derivedTables = new Set(['redaction', 'record_count', 'reason_count', 'appealed_ban'])

/** Deletes everything that a copy has written. */
async function deleteContent(db: Database, workspaceId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await db.write((tx) => removeSomePlayerNames(tx, workspaceId)))) {}
  for (const [table, deletion] of tableDeletions)
    if (derivedTables.has(table)) await runInSlices(db, deletion, { workspaceId }, signal)
  for (const [table, deletion] of [...contentDeletions].toReversed())
    await runInSlices(db, deletion, { workspaceId }, signal, getRowsPerTransaction(table))
}
