import { createTimeSlicer } from '@reeve/db'
import { content } from '../archive/content.ts'
import type { ContentTable } from '../archive/content-definition.ts'
import { contentDeletions, insertRow, type Row, sizesAfterKey } from '../archive/content-statements.ts'
import type { JobContext } from './job-context.ts'
import { deleteStagedRows, stagedRows } from './staged-rows.ts'

/**
 * The tables that a roll-back replaces in many transactions, because they can have many rows, in the order in which rows can be inserted. No ban check
 * reads them, and nothing changes them while the workspace is archived.
 */
export const tablesWithManyRows = [
  'rule_version',
  'approval',
  'assignment',
  'pinned_note',
  'player_link',
] as const satisfies readonly ContentTable[]

/** Rows per transaction: a few milliseconds. */
const ROWS_PER_TRANSACTION = 100

interface ReplacePosition {
  /** The tables whose current rows are deleted: those that have rows have them from the archive. */
  readonly cleared: readonly ContentTable[]
}

/** Receives how many archived rows are inserted in a transaction. @returns what to save with it */
type ReportProgress = (inserted: number) => { readonly done: number; readonly total: number }

/** Replaces the rows of `tablesWithManyRows` by those of the archive, in transactions that save their progress. */
export async function replaceTablesWithManyRows(
  context: JobContext,
  progress: ReportProgress,
): Promise<void> {
  let cleared = context.readPosition<ReplacePosition>()?.cleared ?? []
  for (const table of tablesWithManyRows) {
    if (!cleared.includes(table)) {
      cleared = [...cleared, table]
      await deleteCurrentRows(context, table, progress, { cleared })
    }
    await insertArchivedRows(context, table, progress)
  }
}

/** @param end saved in the last transaction */
async function deleteCurrentRows(
  context: JobContext,
  table: ContentTable,
  progress: ReportProgress,
  end: ReplacePosition,
): Promise<void> {
  const { workspace_id: workspaceId } = context.job
  const deleteRows = contentDeletions.get(table)
  if (!deleteRows) throw new Error(`no deletion of ${table}`)
  for (let isLast = false; !isLast; ) {
    const start = { workspaceId, first: '', second: null, limit: ROWS_PER_TRANSACTION + 1 }
    const next = await context.db.read.all(sizesAfterKey({ table, isStart: true }), start)
    isLast = next.length <= ROWS_PER_TRANSACTION
    await context.save({ ...progress(0), ...(isLast && { position: end }) }, (tx) =>
      tx.run(deleteRows, { workspaceId, limit: ROWS_PER_TRANSACTION }),
    )
  }
}

async function insertArchivedRows(
  context: JobContext,
  table: ContentTable,
  progress: ReportProgress,
): Promise<void> {
  const { workspace_id: workspaceId, id: jobId } = context.job
  const key = { workspaceId, jobId, kind: content[table].kind }
  for (;;) {
    const rows = await context.db.read.all(stagedRows, { ...key, limit: ROWS_PER_TRANSACTION })
    if (rows.length === 0) return
    await context.save(progress(rows.length), async (tx) => {
      const yieldIfDue = createTimeSlicer()
      for (const { data } of rows) {
        const row = JSON.parse(String(data)) as Row
        await tx.run(insertRow({ table }), { ...row, workspace_id: workspaceId })
        await yieldIfDue()
      }
      await tx.run(deleteStagedRows, { ...key, numbers: rows.map(({ number }) => number) })
    })
  }
}
