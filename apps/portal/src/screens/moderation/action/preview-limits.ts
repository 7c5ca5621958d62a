import {
  decideBan,
  exceedsSeverity,
  getLongestBan,
  needsEvidence,
  type RoleLimits,
  type Severity,
} from '@reeve/core'
import { listLimits } from '../../../format/limits.ts'
import { formatNumber } from '../../../format/number.ts'
import { formatMoment, formatSanctionDuration } from '../format-time.ts'
import type { OwnLimits } from './own-limits.ts'

/** What the limits of the user say about an action that they have entered. */
export interface LimitPreview {
  /** The limits of the action, before anything is entered; empty without any. */
  readonly note: string
  /** Why the action is refused; null if it is not. */
  readonly refusal: string | null
  /** Whether another person has to approve it. */
  readonly needsApproval: boolean
}

interface EnteredAction {
  readonly action: string
  /** Null is permanent; undefined while there is none. */
  readonly seconds: number | null | undefined
  readonly severity: Severity
  readonly hasEvidence: boolean
}

/** Compares an action with the limits of the user. The server decides; this says it in advance. */
export function previewLimits(ownLimits: OwnLimits, entered: EnteredAction, now: number): LimitPreview {
  const limits = ownLimits.get(entered.action)
  return {
    note: formatNote(ownLimits, limits, entered.action),
    refusal: findRefusal(ownLimits, limits, entered, now),
    needsApproval:
      entered.action === 'ban' &&
      entered.seconds !== undefined &&
      decideBan(limits, entered.seconds) === 'approval',
  }
}

function formatNote({ bansThisHour }: OwnLimits, limits: RoleLimits, action: string): string {
  const note = describeLimits(limits)
  if (note === '') return ''
  const used =
    limits.bansPerHour !== null && action === 'ban'
      ? ` You have used ${formatNumber(bansThisHour)} of ${formatNumber(limits.bansPerHour)} in the last hour.`
      : ''
  return `${note}${used}`
}

/** `Limits of your roles: severity up to high.` Empty without any. */
export function describeLimits(limits: RoleLimits): string {
  const phrases = listLimits(limits)
  return phrases.length === 0 ? '' : `Limits of your roles: ${phrases.join(', ')}.`
}

/** The severity of a new case that names none: the usual one, unless the limit is lower. */
export const chooseDefaultSeverity = ({ highestSeverity }: RoleLimits, usual: Severity): Severity =>
  highestSeverity !== null && exceedsSeverity(usual, highestSeverity) ? highestSeverity : usual

function findRefusal(
  { nextBanAt }: OwnLimits,
  limits: RoleLimits,
  { action, seconds, severity, hasEvidence }: EnteredAction,
  now: number,
): string | null {
  if (action === 'ban' && nextBanAt !== null && new Date(nextBanAt).getTime() > now)
    return `You have used up your bans for this hour. The next one is possible ${formatMoment(nextBanAt, now)}.`
  const refusal = seconds === undefined ? null : refuseDuration(limits, action, seconds)
  return refusal ?? refuseSeverity(limits, severity, hasEvidence)
}

/** Why a ban or mute of this duration is refused; null if it is not. @param seconds null is permanent */
export function refuseDuration(limits: RoleLimits, action: string, seconds: number | null): string | null {
  const longest = action === 'mute' ? limits.longestMuteSeconds : getLongestBan(limits)
  const isRefused =
    action === 'mute'
      ? longest !== null && (seconds === null || seconds > longest)
      : decideBan(limits, seconds) === 'refused'
  return isRefused && longest !== null
    ? `The longest ${action} that your roles allow is ${formatSanctionDuration(longest)}.`
    : null
}

/** Why a severity is refused, or the lack of evidence for it; null if neither is. */
export function refuseSeverity(limits: RoleLimits, severity: Severity, hasEvidence: boolean): string | null {
  if (exceedsSeverity(severity, limits.highestSeverity))
    return `The highest severity that your roles allow is ${limits.highestSeverity}.`
  if (needsEvidence(limits, severity) && !hasEvidence)
    return `Your roles require evidence from severity ${limits.evidenceFromSeverity} upwards.`
  return null
}
