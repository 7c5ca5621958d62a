import type { ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { Commit } from '@reeve/http'
import type { Meter } from '@reeve/metering'
import type { Gate } from './gate/plugin.ts'
import type { Settings } from './settings.ts'

/** What `apps/api` gives to every plugin. */
export interface AppContext {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly meter: Meter
  /** Writes when and from where keys were last used, which otherwise gathers for a while. */
  readonly flushKeyUsage: () => Promise<void>
  readonly settings: Settings
  /** A number that moves with every change of a workspace's records. */
  readonly getSequence: (workspaceId: string) => Promise<number>
  /** Aborted when the instance stops: what goes on without an end of its own ends then. */
  readonly shutdownSignal: AbortSignal
  /** How a route changes something. */
  readonly commit: Commit
  /** The plugin that every resource uses: the order of checks before a handler. */
  readonly auth: Gate
}
