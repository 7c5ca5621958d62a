import { hasErrorCode, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import { runNextBatch } from '@reeve/moderation'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

export interface BatchOptions {
  readonly db: Database
  readonly ports: Ports
  /** Receives errors that are not the caller's. */
  readonly onFailure: (error: unknown) => void
}

/** Runs batches until none is left that this process can run. Never rejects. */
export async function runBatches({ db, ports, onFailure }: BatchOptions, signal: AbortSignal): Promise<void> {
  const options = { db, ports, signal, runner: crypto.randomUUID() }
  try {
    while (!signal.aborted && (await runNextBatch(options)));
  } catch (error) {
    // If the storage is not available, the next poll tries again.
    if (!hasErrorCode(error, 'unavailable')) onFailure(error)
  }
}

/** Runs batches of moderation actions as soon as one is requested, one at a time, whatever the number of processes. */
export const createBatchJob = (options: BatchOptions): Job =>
  createChangeJob('batches', options.db, 'batch', (signal) => runBatches(options, signal))
