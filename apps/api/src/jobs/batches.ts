import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { runNextBatch } from '@reeve/moderation'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

/** Runs batches until none is left that this process can run. */
export async function runBatches(db: Database, ports: Ports, signal: AbortSignal): Promise<void> {
  const options = { db, ports, signal, runner: crypto.randomUUID() }
  while (!signal.aborted && (await runNextBatch(options)));
}

/** Runs batches of moderation actions as soon as one is requested, one at a time, whatever the number of processes. */
export const createBatchJob = (db: Database, ports: Ports): Job =>
  createChangeJob('batches', db, 'batch', (signal) => runBatches(db, ports, signal))
