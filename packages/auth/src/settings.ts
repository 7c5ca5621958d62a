import type { RatePerMinute } from '@reeve/metering'
import type { IpRange } from './ip-address.ts'

/** Who may create workspaces. */
export const workspaceCreations = ['anyone', 'operators'] as const
export type WorkspaceCreation = (typeof workspaceCreations)[number]

/** The settings that reach beyond one package. */
export interface Settings {
  /** Where browsers and game servers reach this instance. */
  readonly publicUrl: URL
  readonly trustedProxies: readonly IpRange[]
  readonly keyRatePerMinute: RatePerMinute
  readonly sessionRatePerMinute: RatePerMinute
  /** How many workspaces an account may own; 0 means no limit. */
  readonly workspacesPerAccount: number
  /** Who may create workspaces. */
  readonly workspaceCreation: WorkspaceCreation
  /** How many bytes a workspace may store unless it has a quota of its own; null means no limit. */
  readonly storageQuota: number | null
  /** How many jobs a workspace may start in 24 hours; 0 means no limit. */
  readonly workspaceJobsPerDay: number
}
