import {
  insertAll,
  type Queries,
  type RetentionRunTable,
  statement,
  type Transaction,
  upsertAll,
} from '@reeve/db'

const runByWorkspace = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql.selectFrom('retention_run').selectAll().where('workspace_id', '=', p.workspaceId),
)
const upsertRun = statement<RetentionRunTable>()((sql, p) =>
  upsertAll(sql, 'retention_run', p, ['workspace_id']),
)
const insertRun = statement<RetentionRunTable>()((sql, p) =>
  insertAll(sql, 'retention_run', p).onConflict((conflict) => conflict.doNothing()),
)

/** A run that has deleted nothing yet. @param day in days since 1970 */
export const toNewRun = (workspaceId: string, day: number): RetentionRunTable => ({
  workspace_id: workspaceId,
  day,
  position: 0,
  note_count: 0,
  warn_count: 0,
  kick_count: 0,
  mute_count: 0,
  ban_count: 0,
  appeal_count: 0,
  finished_at: null,
})

/** The last run of a workspace, or the one in progress. */
export const findRun = (db: Queries, workspaceId: string): Promise<RetentionRunTable | undefined> =>
  db.first(runByWorkspace, { workspaceId })

export const saveRun = (tx: Transaction, row: RetentionRunTable): Promise<number> => tx.run(upsertRun, row)

/**
 * Lets the first run of a workspace be that of the next day, also of one that was copied from an archive with rules. Changes
 * nothing if there was a run.
 */
export const startRuns = (tx: Transaction, workspaceId: string, day: number, now: number): Promise<number> =>
  tx.run(insertRun, { ...toNewRun(workspaceId, day), finished_at: now })
