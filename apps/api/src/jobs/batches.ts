import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { runBatches } from '@reeve/moderation'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

/** Runs batches of moderation actions as soon as one is requested, one at a time, whatever the number of processes. */
export function createBatchJob(db: Database, ports: Ports): Job {
  const runner = crypto.randomUUID()
  return createChangeJob('batches', db, 'batch', (signal) => runBatches({ db, ports, runner, signal }))
}
