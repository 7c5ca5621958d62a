import type { Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { StorageGuard } from '@reeve/metering'

/** What a process needs to run imports. */
export interface ImportDependencies {
  readonly db: Database
  readonly ports: Ports
  readonly storage: Pick<StorageGuard, 'assertAvailable'>
  /** Names this process. */
  readonly runner: string
  /** Aborted at shutdown: the import stops after the current transaction. */
  readonly signal: AbortSignal
  /** Receives errors that are not the file's. */
  readonly onFailure: (error: unknown) => void
}
