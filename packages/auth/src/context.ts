import type { HistoryReader } from '@reeve/audit'
import type { EvidenceStore, ImageStore, Ports } from '@reeve/core'
import type { Database } from '@reeve/db'
import type { Commit, FileReceiver } from '@reeve/http'
import type { Meter, StorageGuard } from '@reeve/metering'
import type { Gate } from './gate/plugin.ts'
import type { ProviderFailure } from './methods/oidc/failure.ts'
import type { Settings } from './settings.ts'
import type { SignInFailure } from './sign-in-failure.ts'

/** The backups that an instance finds. */
export interface KnownBackups {
  /** Those of this instance, newest first. Times are epoch milliseconds. */
  readonly backups: readonly {
    readonly name: string
    readonly takenAt: number
    readonly place: 'folder' | 'bucket'
  }[]
  /** Why there can be others; null if they are all that the program creates. */
  readonly problem: string | null
}

export type ListBackups = () => Promise<KnownBackups>

/** The dependencies of every plugin, built by `apps/api`. */
export interface AppContext {
  readonly db: Database
  readonly ports: Ports
  readonly images: ImageStore
  readonly evidence: EvidenceStore
  /** Lists the backups of the instance that it finds in its folder and its bucket. */
  readonly listBackups: ListBackups
  /** Receives the bodies of routes with `streamsBody`. */
  readonly files: FileReceiver
  readonly meter: Meter
  readonly storage: StorageGuard
  /** Writes the buffered last uses of API keys to the database. */
  readonly flushKeyUsage: () => Promise<void>
  readonly settings: Settings
  /** Receives what went wrong with an identity provider. */
  readonly onProviderFailure: (failure: ProviderFailure) => void
  /** Whether the browser's connection is encrypted: by the public URL, or because a trusted proxy says so. */
  readonly isHttps: (request: Request) => boolean
  /** Where the changes of each workspace have got to. */
  readonly history: HistoryReader
  /** Called for every session that starts. */
  readonly onSignIn: () => void
  /** Called for every failed sign-in; use `reportSignInFailure`. */
  readonly onSignInFailure: (failure: SignInFailure) => void
  /** Aborted on shutdown; ends open streams. */
  readonly shutdownSignal: AbortSignal
  /** Runs a write in a transaction, with idempotency and metering. */
  readonly commit: Commit
  /** The plugin that every resource uses: authentication, authorization and limits, before the handler. */
  readonly auth: Gate
}
