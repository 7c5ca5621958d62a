import { wire } from '@reeve/core'
import { presentJob } from '@reeve/workspaces'
import { instanceCommand, required } from '../command-line/command.ts'
import { requireJobById } from './job-option.ts'
import { formatJob } from './job-progress.ts'

export const showJobCommand = instanceCommand({
  options: { id: required('<id>', 'the ID of the job, as listed by `reeve job list`', wire.id) },
  run: async ({ db }, { id }) => ({ job: await presentJob(db.read, await requireJobById(db.read, id)) }),
  print: ({ job }) => formatJob(job),
})
