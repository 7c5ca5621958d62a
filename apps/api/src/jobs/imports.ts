import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { StorageGuard } from '@reeve/metering'
import { deleteImportFiles, runImports } from '@reeve/moderation'
import type { Job } from './scheduler.ts'
import { waitForChange } from './wait-for-change.ts'

/** How soon an import of a process that was killed is continued after its lease, and one that waits for the storage. */
const POLL_MS = 5000

export interface ImportJobOptions {
  readonly db: Database
  readonly ports: Ports
  readonly storage: StorageGuard
  /** Receives errors that are not the file's. */
  readonly onFailure: (error: unknown) => void
}

/** Runs imports as soon as their files have arrived, one at a time on all processes. */
export function createImportJob({ db, ports, storage, onFailure }: ImportJobOptions): Job {
  const runner = crypto.randomUUID()
  return {
    name: 'imports',
    intervalMs: POLL_MS,
    runsOn: 'each',
    getDelayMs: () => 0,
    async run(signal) {
      while (!signal.aborted) {
        const change = waitForChange(db, 'import', POLL_MS, signal)
        await runImports({ db, ports, storage, runner, signal, onFailure })
        await deleteImportFiles(db, ports, signal)
        await change
      }
    },
  }
}
