import { NO_LIMITS, type RoleLimits, type Severity } from '@reeve/core'
import { formatNumber } from './number.ts'
import { formatDuration } from './time.ts'

type LimitsJson = {
  readonly [Name in Exclude<keyof RoleLimits, 'permanentBansNeedApproval'>]: string | null
} & { readonly permanentBansNeedApproval: string }

const toNumber = (value: string | null): number | null => (value === null ? null : Number(value))

/** The limits of a response. */
export const readLimits = (json: LimitsJson): RoleLimits => ({
  longestBanSeconds: toNumber(json.longestBanSeconds),
  longestMuteSeconds: toNumber(json.longestMuteSeconds),
  highestSeverity: json.highestSeverity as Severity | null,
  bansPerHour: toNumber(json.bansPerHour),
  evidenceFromSeverity: json.evidenceFromSeverity as Severity | null,
  permanentBansNeedApproval: json.permanentBansNeedApproval === 'true',
})

/** The form of limits in a request. */
export const writeLimits = (limits: RoleLimits) => ({
  longestBanSeconds: limits.longestBanSeconds === null ? null : String(limits.longestBanSeconds),
  longestMuteSeconds: limits.longestMuteSeconds === null ? null : String(limits.longestMuteSeconds),
  highestSeverity: limits.highestSeverity,
  bansPerHour: limits.bansPerHour === null ? null : String(limits.bansPerHour),
  evidenceFromSeverity: limits.evidenceFromSeverity,
  permanentBansNeedApproval: String(limits.permanentBansNeedApproval),
})

/** One phrase for each limit: `bans up to 1 week`, `evidence from severity high`. */
export const listLimits = (limits: RoleLimits): string[] => [
  ...(limits.longestBanSeconds === null ? [] : [`bans up to ${formatDuration(limits.longestBanSeconds)}`]),
  ...(limits.permanentBansNeedApproval ? ['permanent bans with approval'] : []),
  ...(limits.bansPerHour === null ? [] : [`${formatNumber(limits.bansPerHour)} bans per hour`]),
  ...(limits.longestMuteSeconds === null ? [] : [`mutes up to ${formatDuration(limits.longestMuteSeconds)}`]),
  ...(limits.highestSeverity === null ? [] : [`severity up to ${limits.highestSeverity}`]),
  ...(limits.evidenceFromSeverity === null
    ? []
    : [`evidence from severity ${limits.evidenceFromSeverity} upwards`]),
]

/** Limits without those that a kind of action does not have. */
export const selectLimitsOf = (action: string, limits: RoleLimits): RoleLimits => ({
  ...limits,
  ...(action !== 'mute' && { longestMuteSeconds: NO_LIMITS.longestMuteSeconds }),
  ...(action !== 'ban' && {
    longestBanSeconds: null,
    permanentBansNeedApproval: false,
    bansPerHour: null,
  }),
})
