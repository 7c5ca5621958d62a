import { DAY_MS, type Ports } from '@reeve/core'
import { type Database, deleteInSlices, removeSomePlayerNames, sqlLiteral, statement } from '@reeve/db'
import { deleteSomeRows } from '../archive/content.ts'
import type { ArchiveKey } from '../archive/reader.ts'

/** A row has up to 128 KiB; in older archives up to some megabytes. */
const PARTS_PER_SLICE = 8

const deleteRedactions = statement<{ workspaceId: string; limit: number }>()((sql, p) =>
  sql
    .deleteFrom('redaction')
    .where('workspace_id', '=', p.workspaceId)
    .where('record_id', 'in', (eb) =>
      eb.selectFrom('redaction').select('record_id').where('workspace_id', '=', p.workspaceId).limit(p.limit),
    ),
)
const deletedArchive = statement()((sql) =>
  sql.selectFrom('archive').select(['workspace_id', 'id']).where('deleted_at', 'is not', null).limit(1),
)
const deleteParts = statement<{ workspaceId: string; archiveId: string; limit: number }>()((sql, p) =>
  sql
    .deleteFrom('archive_part')
    .where('workspace_id', '=', p.workspaceId)
    .where('archive_id', '=', p.archiveId)
    .where('part', 'in', (eb) =>
      eb
        .selectFrom('archive_part')
        .select('part')
        .where('workspace_id', '=', p.workspaceId)
        .where('archive_id', '=', p.archiveId)
        .limit(p.limit),
    ),
)
const deleteArchive = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql.deleteFrom('archive').where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const hiddenWorkspace = statement()((sql) =>
  sql.selectFrom('workspace').select('id').where('hidden', '=', sqlLiteral('deleting')).limit(1),
)
const deleteWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('workspace').where('id', '=', p.workspaceId),
)
const finishedJobWithRows = statement()((sql) =>
  sql
    .selectFrom('workspace_job')
    .select(['workspace_id', 'id'])
    .where((eb) => eb('has_staged_rows', '=', eb.lit(1)))
    .where('finished_at', 'is not', null)
    .limit(1),
)
const deleteRows = statement<{ workspaceId: string; jobId: string; limit: number }>()((sql, p) =>
  sql
    .deleteFrom('workspace_job_row')
    .where('workspace_id', '=', p.workspaceId)
    .where('job_id', '=', p.jobId)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('workspace_job_row')
        .select('number')
        .where('workspace_id', '=', p.workspaceId)
        .where('job_id', '=', p.jobId)
        .limit(p.limit),
    ),
)
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
  deleteInSlices(db, deleteExpired, { before: ports.now() - JOB_TTL_MS }, signal)

/** Deletes the bytes of an archive. */
export const deleteArchiveParts = (db: Database, archive: ArchiveKey, signal: AbortSignal): Promise<void> =>
  deleteInSlices(
    db,
    deleteParts,
    { workspaceId: archive.workspace_id, archiveId: archive.id },
    signal,
    PARTS_PER_SLICE,
  )

/**
 * Deletes what is no longer used: the bytes of deleted archives, copies that were cancelled or have failed, and what jobs have
 * left behind. Each transaction is short, and an interrupted deletion continues with the next call.
 */
export async function deleteLeftovers(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const archive = await db.read.first(deletedArchive, {})
    if (!archive) break
    await deleteArchiveParts(db, archive, signal)
    if (signal.aborted) return
    await db.write((tx) => tx.run(deleteArchive, { workspaceId: archive.workspace_id, id: archive.id }))
  }
  while (!signal.aborted) {
    const workspace = await db.read.first(hiddenWorkspace, {})
    if (!workspace) break
    await deleteContent(db, workspace.id, signal)
    if (signal.aborted) return
    await db.write((tx) => tx.run(deleteWorkspace, { workspaceId: workspace.id }))
  }
  while (!signal.aborted) {
    const job = await db.read.first(finishedJobWithRows, {})
    if (!job) break
    const workspaceId = job.workspace_id
    await deleteInSlices(db, deleteRows, { workspaceId, jobId: job.id }, signal)
    if (signal.aborted) return
    await db.write((tx) => tx.run(markRowsDeleted, { workspaceId, id: job.id }))
  }
}

/** Deletes everything that a copy has written. */
async function deleteContent(db: Database, workspaceId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await db.write((tx) => removeSomePlayerNames(tx, workspaceId)))) {}
  await deleteInSlices(db, deleteRedactions, { workspaceId }, signal)
  for (const deletion of [...deleteSomeRows.values()].toReversed())
    await deleteInSlices(db, deletion, { workspaceId }, signal)
}
