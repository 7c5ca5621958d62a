import { wire } from '@reeve/core'
import { cancelJob, presentJob } from '@reeve/workspaces'
import { cliActor, instanceCommand, required } from '../command-line/command.ts'
import { requireJobById } from './job-option.ts'

export const cancelJobCommand = instanceCommand({
  options: { id: required('<id>', 'the ID of the job, as listed by `reeve job list`', wire.id) },
  async run({ db, ports }, { id }) {
    const { workspace_id: workspaceId } = await requireJobById(db.read, id)
    return db.write(async (tx) => ({
      job: await presentJob(tx, await cancelJob(tx, ports, cliActor(ports, workspaceId), id)),
    }))
  },
  print: ({ job }) => `Cancelled the job ${job.id}.`,
})
