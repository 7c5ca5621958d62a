import { AppError, LOWEST_ID, type Ports } from '@reeve/core'
import {
  createClaim,
  createRelease,
  type Database,
  getLeaseBounds,
  insertAll,
  type Queries,
  sqlLiteral,
  statement,
  type Transaction,
  type WorkspaceJobState,
  type WorkspaceJobTable,
} from '@reeve/db'
import { formatJobName, isFinished } from './job-rules.ts'

type JobKey = Pick<WorkspaceJobTable, 'workspace_id' | 'id'>

const insert = statement<WorkspaceJobTable>()((sql, p) => insertAll(sql, 'workspace_job', p))
const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const byIdAlone = statement<{ id: string }>({ isCommutative: true })((sql, p) =>
  sql.selectFrom('workspace_job').selectAll().where('id', '=', p.id),
)
const countsByState = statement<{ states: readonly string[] }>()((sql, p, dialect) =>
  sql
    .selectFrom('workspace_job')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where(dialect.inList('state', p.states))
    .groupBy('state'),
)
const newest = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('id', 'desc')
    .limit(1),
)
const unfinishedByWorkspace = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)
const oldestByState = statement<{ state: WorkspaceJobState; after: string }>({ isCommutative: true })(
  (sql, p) =>
    sql
      .selectFrom('workspace_job')
      .selectAll()
      .where('state', '=', p.state)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(1),
)
const countByState = statement<{ state: WorkspaceJobState; before: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', p.state)
    .where('id', '<', p.before),
)
const claim = createClaim('workspace_job')
const releaseJob = createRelease('workspace_job')
/** In a table of the instance, because the jobs of different workspaces may be on different shards. */
const markClaim = statement<{ now: number }>({ isCommutative: true })((sql, p) =>
  sql
    .insertInto('job')
    .values({ name: 'workspace-jobs', begun_at: p.now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ begun_at: p.now })),
)
/** The row lock makes it exclude a cancellation: one of the two finds that the other was first. */
const advance = statement<
  Pick<WorkspaceJobTable, 'step' | 'position' | 'done' | 'total' | 'state' | 'finished_at'> & {
    workspaceId: string
    id: string
    runner: string
    now: number
    hasStagedRows: number
  }
>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('workspace_job')
    .set({
      step: p.step,
      position: p.position,
      done: p.done,
      total: p.total,
      state: p.state,
      has_staged_rows: p.hasStagedRows,
      heartbeat_at: p.now,
      finished_at: p.finished_at,
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('runner', '=', p.runner)
    .where('state', '=', sqlLiteral('running')),
)
const finish = statement<{
  workspaceId: string
  id: string
  state: WorkspaceJobState
  error: string | null
  now: number
}>()((sql, p) =>
  sql
    .updateTable('workspace_job')
    .set({ state: p.state, error: p.error, finished_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('finished_at', 'is', null),
)

const toKey = ({ workspace_id, id }: JobKey) => ({ workspaceId: workspace_id, id })

/** Stores a new job and announces it, which wakes the process that runs it. */
export async function insertJob(tx: Transaction, job: WorkspaceJobTable): Promise<void> {
  await tx.run(insert, job)
  announceJob(tx, job)
}

/** Announces a change of a job. */
export const announceJob = (tx: Transaction, { workspace_id, id }: JobKey): void =>
  tx.announce({ kind: 'workspace_job', workspaceId: workspace_id, id })

/** The job of a workspace with this ID. @throws AppError `not_found` */
export async function requireJob(db: Queries, workspaceId: string, id: string): Promise<WorkspaceJobTable> {
  const job = await db.first(byId, { workspaceId, id })
  if (!job) throw new AppError('not_found')
  return job
}

/** The job with this ID in any workspace, for operators. */
export const findJobById = (db: Queries, id: string): Promise<WorkspaceJobTable | undefined> =>
  db.first(byIdAlone, { id })

/** How many jobs of the instance are queued, and how many run. */
export async function countJobs(db: Queries): Promise<Readonly<Record<'queued' | 'running', number>>> {
  const rows = await db.all(countsByState, { states: ['queued', 'running'] })
  const counts = new Map<string, number>(rows.map(({ state, count }) => [state, Number(count)]))
  return { queued: counts.get('queued') ?? 0, running: counts.get('running') ?? 0 }
}

/** The unfinished job of a workspace, or else its last one. */
export const findNewestJob = (db: Queries, workspaceId: string): Promise<WorkspaceJobTable | undefined> =>
  db.first(newest, { workspaceId })

/** The job of a workspace that is queued or runs. */
export const findUnfinishedJob = (db: Queries, workspaceId: string): Promise<WorkspaceJobTable | undefined> =>
  db.first(unfinishedByWorkspace, { workspaceId })

/** @throws AppError `conflict` that names the job, if one of the workspace is unfinished */
export async function assertNoUnfinishedJob(db: Queries, workspaceId: string): Promise<void> {
  const job = await findUnfinishedJob(db, workspaceId)
  if (!job) return
  throw new AppError('conflict', {
    message: `Another job of this workspace is not finished: ${formatJobName(job)} (job ${job.id}). Wait for it, or cancel it.`,
  })
}

/** @throws AppError `conflict` while a job needs the workspace to stay archived */
export async function assertArchivedStateNotNeeded(db: Queries, workspaceId: string): Promise<void> {
  const job = await findUnfinishedJob(db, workspaceId)
  if (job?.kind === 'archive' || job?.kind === 'roll_back') await assertNoUnfinishedJob(db, workspaceId)
}

/** How many jobs of the instance run before this one. */
export async function countJobsAhead(db: Queries, { id, state }: WorkspaceJobTable): Promise<number> {
  if (state !== 'queued') return 0
  const queued = await db.first(countByState, { state: 'queued', before: id })
  const running = await db.first(oldestByState, { state: 'running', after: LOWEST_ID })
  return Number(queued?.count ?? 0) + (running ? 1 : 0)
}

/** The job that runs or was interrupted, or else the oldest queued one. */
const findNextJob = async (db: Queries, after: string): Promise<WorkspaceJobTable | undefined> =>
  (await db.first(oldestByState, { state: 'running', after })) ??
  (await db.first(oldestByState, { state: 'queued', after: LOWEST_ID }))

/**
 * Takes the interrupted job, or else the oldest queued one, unless another process runs a job.
 * @param runner names this process
 * @param after of those that were interrupted, only jobs with a later ID
 */
export async function claimNextJob(
  db: Database,
  ports: Ports,
  runner: string,
  after = LOWEST_ID,
): Promise<WorkspaceJobTable | null> {
  if (!(await findNextJob(db.read, after))) return null
  const now = ports.now()
  const bounds = getLeaseBounds(db, now)
  return db.write(async (tx) => {
    // Locks the row, so that processes claim one after the other.
    await tx.run(markClaim, { now })
    const job = await findNextJob(tx, after)
    if (!job) return null
    if ((await tx.run(claim, { ...toKey(job), runner, ...bounds })) === 0) return null
    announceJob(tx, job)
    return (await tx.first(byId, toKey(job))) ?? null
  })
}

/** Lets another process continue the job at once. */
export const releaseClaim = (db: Database, job: JobKey, runner: string): Promise<number> =>
  db.write((tx) => tx.run(releaseJob, { ...toKey(job), runner }))

/** Saves the progress of a job. @returns false if it no longer belongs to this process */
export async function saveJob(
  tx: Transaction,
  ports: Ports,
  job: WorkspaceJobTable,
  runner: string,
): Promise<boolean> {
  const { step, position, done, total, state, finished_at, has_staged_rows } = job
  const changed = await tx.run(advance, {
    ...toKey(job),
    runner,
    step,
    position,
    done,
    total,
    state,
    finished_at,
    hasStagedRows: has_staged_rows,
    now: ports.now(),
  })
  return changed > 0
}

/** Ends a job that has not succeeded. @returns false if it has ended already */
export async function markJobEnded(
  tx: Transaction,
  ports: Ports,
  job: WorkspaceJobTable,
  state: 'failed' | 'cancelled',
  error: string | null,
): Promise<boolean> {
  if (isFinished(job)) return false
  const changed = await tx.run(finish, { ...toKey(job), state, error, now: ports.now() })
  if (changed > 0) announceJob(tx, job)
  return changed > 0
}
