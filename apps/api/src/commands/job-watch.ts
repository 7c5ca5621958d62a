import type { Job } from '@reeve/workspaces'
import { localCommand } from '../command-line/command.ts'
import { instanceSettings, runInstanceCommand } from '../command-line/run-instance-command.ts'
import { readSettings } from '../config.ts'
import { formatJob } from './job-progress.ts'
import { showJobCommand } from './job-show.ts'

/** How often the job is read. */
const POLL_MS = 500

/** Shows the progress of a job until it has ended. */
export const watchJobCommand = localCommand({
  options: showJobCommand.options,
  settings: instanceSettings,
  async run({ flags, env, progress }, { id }) {
    const location = readSettings(instanceSettings, flags, env)
    for (;;) {
      const { job } = (await runInstanceCommand('job show', showJobCommand, location, { id })) as { job: Job }
      if (job.finishedAt !== null) return { job }
      progress.update(formatJob(job))
      await Bun.sleep(POLL_MS)
    }
  },
  print: ({ job }) => formatJob(job),
  exitCode: ({ job }) => (job.state === 'succeeded' ? 0 : 1),
})
