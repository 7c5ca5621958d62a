import type { createApp } from '@reeve/api'
import { databaseImageStore } from '@reeve/api/images/database-store'
import { databaseEvidenceStore } from '@reeve/api/images/evidence-store'
import type { ListBackups } from '@reeve/auth'
import type { EvidenceStore, ImageStore } from '@reeve/core'
import type { FileLimits, ReceiveLimits } from '@reeve/http'
import { LOOPBACK } from './app-options.ts'
import type { Clock } from './clock.ts'
import type { EngineName, TestStorage } from './engine.ts'
import type { TestProviders } from './test-providers.ts'

/** How a test opens an instance. */
export interface InstanceOptions {
  readonly trustedProxies?: Parameters<typeof createApp>[0]['settings']['trustedProxies']
  readonly oidc?: TestProviders
  readonly sendsMail?: boolean
  readonly corsOrigins?: readonly string[]
  /** Default: no limit, so that only tests of the limit meet it. */
  readonly keyRatePerMinute?: number
  readonly sessionRatePerMinute?: number
  readonly imageRatePerMinute?: number
  /** Default: those of the server. */
  readonly receiveLimits?: ReceiveLimits
  /** Default: those of the server. */
  readonly fileLimits?: FileLimits
  readonly workspacesPerAccount?: number
  readonly workspaceCreation?: 'anyone' | 'operators'
  readonly mfa?: 'optional' | 'required'
  readonly storageQuota?: number
  /** Default: no limit. */
  readonly workspaceJobsPerDay?: number
  /** Whether a request resolves only when the job that it started has ended. Default: true; otherwise `runJobs` runs them. */
  readonly finishesJobs?: boolean
  readonly publicUrl?: string
  readonly securityContact?: string
  /** Default: the engine of the run. */
  readonly engine?: EngineName
  readonly storage?: TestStorage
  readonly clock?: Clock
  /** Default: there are no backups. */
  readonly listBackups?: ListBackups
  /** Default: images are stored in the database. */
  readonly images?: ImageStore
  /** Default: evidence files are stored in the database. */
  readonly evidence?: EvidenceStore
}

/** Where an instance stores files, and the backups that it finds. */
export const chooseStores = ({ images, evidence, listBackups }: InstanceOptions) => ({
  images: images ?? databaseImageStore,
  evidence: evidence ?? databaseEvidenceStore,
  listBackups: listBackups ?? (async () => ({ backups: [], problem: null })),
})

/** The settings of an instance; what the options do not say has no limit. */
export const createSettings = (options: InstanceOptions & { readonly publicUrl: string }) => ({
  publicUrl: new URL(options.publicUrl),
  oidcProviders: options.oidc?.providers ?? [],
  sendsMail: options.sendsMail ?? false,
  trustedProxies: options.trustedProxies ?? [],
  keyRatePerMinute: options.keyRatePerMinute ?? 0,
  sessionRatePerMinute: options.sessionRatePerMinute ?? 0,
  imageRatePerMinute: options.imageRatePerMinute ?? 0,
  workspacesPerAccount: options.workspacesPerAccount ?? 0,
  workspaceCreation: options.workspaceCreation ?? 'anyone',
  mfa: options.mfa ?? 'optional',
  storageQuota: options.storageQuota ?? null,
  workspaceJobsPerDay: options.workspaceJobsPerDay ?? 0,
  outboundAllow: LOOPBACK,
})
