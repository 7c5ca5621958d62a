import type { Database } from './database.ts'
import { type Statement, statement } from './statement.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** Rows per statement: a few milliseconds, also for rows with large texts. */
const SLICE_ROWS = 200

/**
 * Runs a statement that deletes at most `limit` rows until it finds fewer. Each run is a transaction of its own, and other requests
 * run in between.
 * @param signal stops after the current run
 * @param limit rows per statement: fewer if they are large
 */
export async function deleteInSlices<Params>(
  db: Database,
  deletion: Statement<Params & { limit: number }, unknown>,
  params: Params,
  signal?: AbortSignal,
  limit = SLICE_ROWS,
): Promise<void> {
  while (!signal?.aborted) {
    const deleted = await db.write((tx) => tx.run(deletion, { ...params, limit }))
    if (deleted < limit) return
    await yieldToEventLoop()
  }
}

/** Tables with many rows for a row of another table: the column that refers to it, and the rest of the key. */
const partTables = {
  archive_part: ['archive_id', 'part'],
  evidence_part: ['file_id', 'part'],
  import_part: ['import_id', 'part'],
  workspace_job_row: ['job_id', 'number'],
} as const

/** A statement that deletes some of the rows that belong to the row with an id. */
export const createPartDeletion = (table: keyof typeof partTables) =>
  statement<{ workspaceId: string; id: string; limit: number }>()((sql, p) => {
    // The statement is the same for every table. Kysely needs the names of one for its types.
    const [owner, part] = partTables[table] as (typeof partTables)['import_part']
    const rows = sql.selectFrom(table as 'import_part').where('workspace_id', '=', p.workspaceId)
    return sql
      .deleteFrom(table as 'import_part')
      .where('workspace_id', '=', p.workspaceId)
      .where(owner, '=', p.id)
      .where(part, 'in', rows.where(owner, '=', p.id).select(part).limit(p.limit))
  })
