import { createFailureCollector, type Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { StorageGuard } from '@reeve/metering'
import { deleteImportFiles, runImports } from '@reeve/moderation'
import { createChangeJob } from './change-job.ts'
import type { Job } from './scheduler.ts'

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
  return createChangeJob('imports', db, 'import', async (signal) => {
    const failures = createFailureCollector()
    await failures.attempt(() => runImports({ db, ports, storage, runner, signal, onFailure }))
    await failures.attempt(() => deleteImportFiles(db, ports, signal))
    failures.throwFirst()
  })
}
