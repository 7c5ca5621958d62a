import type { Database } from './database.ts'
import { statement } from './statement.ts'

/** Tables of work that one process at a time runs, which shows with a heartbeat that it still does. */
type RunnerTable = 'batch' | 'import' | 'workspace_job'

/** How long a process that says nothing keeps its row. A step of the work takes milliseconds. */
const LEASE_MS = 30_000

/** Until when the heartbeat of a row is too old, and from when it is in the future. Times in epoch milliseconds. */
interface LeaseBounds {
  readonly now: number
  readonly expired: number
  readonly future: number
}

/** @param now epoch milliseconds */
export const getLeaseBounds = ({ isShared }: Pick<Database, 'isShared'>, now: number): LeaseBounds => ({
  now,
  // Only one process at a time has its own database: the one that had the row before has exited.
  expired: isShared ? now - LEASE_MS : Number.MAX_SAFE_INTEGER,
  future: now + LEASE_MS,
})

/**
 * Takes a row unless another process runs it: also one that this process has and could not finish. A heartbeat in the future is from
 * before a clock was set back.
 */
export const createClaim = (table: RunnerTable) =>
  statement<LeaseBounds & { workspaceId: string; id: string; runner: string }>({ isCommutative: true })(
    (sql, p) =>
      sql
        .updateTable(table as 'import')
        .set((eb) => ({
          state: 'running' as const,
          runner: p.runner,
          heartbeat_at: p.now,
          started_at: eb.fn.coalesce('started_at', eb.val(p.now)),
        }))
        .where('workspace_id', '=', p.workspaceId)
        .where('id', '=', p.id)
        .where('finished_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('heartbeat_at', 'is', null),
            eb('runner', '=', p.runner),
            eb('heartbeat_at', '<=', p.expired),
            eb('heartbeat_at', '>', p.future),
          ]),
        ),
  )

/** Gives a row back, so that another process can take it at once. */
export const createRelease = (table: RunnerTable) =>
  statement<{ workspaceId: string; id: string; runner: string }>({ isCommutative: true })((sql, p) =>
    sql
      .updateTable(table as 'import')
      .set({ runner: null, heartbeat_at: null })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id)
      .where('runner', '=', p.runner),
  )
