import type { RatePerMinute } from '@reeve/metering'
import type { IpRange } from './ip-address.ts'
import type { OidcProvider } from './methods/oidc/provider.ts'
import type { TrustedProxies } from './proxies.ts'

/** Who may create workspaces. */
export const workspaceCreations = ['anyone', 'operators'] as const
export type WorkspaceCreation = (typeof workspaceCreations)[number]

/** Whether every account needs a second factor. */
export const mfaPolicies = ['optional', 'required'] as const
export type MfaPolicy = (typeof mfaPolicies)[number]

/** The settings that reach beyond one package. */
export interface Settings {
  /** Where browsers and game servers reach this instance. */
  readonly publicUrl: URL
  /** Whether an operator has set it; otherwise it is derived from where the server listens, and requests for any host are accepted. */
  readonly hasPublicUrl: boolean
  /** The identity providers that people can sign in with, in the order of their buttons. */
  readonly oidcProviders: readonly OidcProvider[]
  /** Whether it sends e-mails. */
  readonly sendsMail: boolean
  readonly trustedProxies: TrustedProxies
  readonly keyRatePerMinute: RatePerMinute
  readonly sessionRatePerMinute: RatePerMinute
  /** Requests for images, for each IP address. */
  readonly imageRatePerMinute: RatePerMinute
  /** How many workspaces an account may own; 0 means no limit. */
  readonly workspacesPerAccount: number
  /** Who may create workspaces. */
  readonly workspaceCreation: WorkspaceCreation
  /** Whether every account needs a second factor. */
  readonly mfa: MfaPolicy
  /** How many bytes a workspace may store unless it has a quota of its own; null means no limit. */
  readonly storageQuota: number | null
  /** Ranges of private networks that webhooks may send to. */
  readonly outboundAllow: readonly IpRange[]
  /** How many jobs a workspace may start in 24 hours; 0 means no limit. */
  readonly workspaceJobsPerDay: number
}
