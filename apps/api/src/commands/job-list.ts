import { wire } from '@reeve/core'
import { listJobs, listUnfinishedJobs, presentJobs } from '@reeve/workspaces'
import { formatTable, instanceCommand, optional } from '../command-line/command.ts'
import { formatProgress } from './job-progress.ts'
import { assertWorkspaceExists } from './workspace-option.ts'

/** How many jobs are listed at most. */
const MAX_JOBS = 100

export const listJobsCommand = instanceCommand({
  options: {
    workspace: optional('<id>', 'all jobs of one workspace instead of the unfinished ones of all', wire.id),
  },
  async run({ db }, { workspace }) {
    if (workspace === null) {
      return { jobs: await presentJobs(db.read, await listUnfinishedJobs(db.read, MAX_JOBS)) }
    }
    await assertWorkspaceExists(db.read, workspace)
    const { jobs } = await listJobs(db.read, { workspaceId: workspace }, { limit: MAX_JOBS })
    return { jobs }
  },
  print: ({ jobs }) =>
    formatTable(
      ['ID', 'WORKSPACE', 'KIND', 'STATE', 'PROGRESS', 'CREATED', 'FINISHED', 'ERROR'],
      jobs.map((job) => [
        job.id,
        job.workspaceId,
        job.kind,
        job.state,
        formatProgress(job),
        job.createdAt,
        job.finishedAt ?? '',
        job.error ?? '',
      ]),
    ),
})
