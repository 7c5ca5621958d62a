import { type Actor, MAX_ID, paginate, parsePage } from '@reeve/core'
import { type Queries, statement, type WorkspaceJobTable } from '@reeve/db'
import { type JobsQueryInput, presentJob } from './model.ts'

const newestFirst = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const unfinished = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .innerJoin('workspace', 'workspace.id', 'workspace_job.workspace_id')
    .selectAll('workspace_job')
    .select('workspace.group_name as workspace_name')
    .where('workspace_job.finished_at', 'is', null)
    .orderBy('workspace_job.id')
    .limit(p.limit),
)

const LIST = 'jobs'

/** A page of the jobs of a workspace, newest first. */
export async function listJobs(
  db: Queries,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: JobsQueryInput,
) {
  const page = parsePage(LIST, input, ['string'])
  const results = await db.all(newestFirst, {
    workspaceId,
    before: String(page.after?.[0] ?? MAX_ID),
    limit: page.limit + 1,
  })
  const { rows, nextCursor } = paginate(results, page, (row) => [row.id])
  return { jobs: await presentJobs(db, rows), nextCursor }
}

/** The unfinished jobs of the instance in the order in which they run. */
export const listUnfinishedJobs = (db: Queries, limit: number) => db.all(unfinished, { limit })

export const presentJobs = (db: Queries, rows: readonly WorkspaceJobTable[]) =>
  Promise.all(rows.map((row) => presentJob(db, row)))
