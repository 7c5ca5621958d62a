import type { ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { Commit } from '@reeve/http'
import type { Meter, StorageGuard } from '@reeve/metering'
import type { Gate } from './gate/plugin.ts'
import type { Settings } from './settings.ts'

/** The dependencies of every plugin, built by `apps/api`. */
export interface AppContext {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly meter: Meter
  readonly storage: StorageGuard
  /** Writes the buffered last uses of API keys to the database. */
  readonly flushKeyUsage: () => Promise<void>
  readonly settings: Settings
  /** A number that changes with every change of a workspace's records. */
  readonly getSequence: (workspaceId: string) => Promise<number>
  /** Aborted on shutdown; ends open streams. */
  readonly shutdownSignal: AbortSignal
  /** Runs a write in a transaction, with idempotency and metering. */
  readonly commit: Commit
  /** The plugin that every resource uses: authentication, authorization and limits, before the handler. */
  readonly auth: Gate
}
