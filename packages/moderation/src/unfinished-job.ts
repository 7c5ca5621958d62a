import { type Queries, statement } from '@reeve/db'

const unfinishedJob = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('workspace_job')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null),
)

/** Whether a job of the workspace is queued or runs: an archive, a copy, a roll-back or a download. */
export const hasUnfinishedJob = async (db: Pick<Queries, 'first'>, workspaceId: string): Promise<boolean> =>
  (await db.first(unfinishedJob, { workspaceId })) !== undefined
