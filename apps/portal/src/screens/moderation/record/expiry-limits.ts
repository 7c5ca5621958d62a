import {
  compareMeasures,
  decideBan,
  expiresBefore,
  isSanctionKind,
  type Measure,
  NO_LIMITS,
  type Permission,
  SECOND_MS,
} from '@reeve/core'
import type { OwnLimits } from '../action/own-limits.ts'
import { describeLimits, refuseDuration } from '../action/preview-limits.ts'
import type { ModerationRecord } from '../queries.ts'
import { formatMeasure } from '../templates/format-measure.ts'
import type { Ladder } from '../templates/queries.ts'
import type { ExpiryChange } from './expiry-change.ts'

/** What limits a longer duration of a ban or mute. */
export interface ExpiryLimits {
  /** Before anything is entered; empty without limits. */
  readonly note: string
  /** Why the change is refused; null if it is not. */
  readonly refusal: string | null
}

interface Rules {
  readonly ownLimits: OwnLimits
  readonly ladders: readonly Ladder[]
  readonly permissions: ReadonlySet<Permission>
}

/** Compares a new expiry with the limits of the user, and with the step of the ladder. The server decides; this says it in advance. */
export function previewExpiryLimits(
  record: ModerationRecord,
  { newExpiry }: ExpiryChange,
  { ownLimits, ladders, permissions }: Rules,
): ExpiryLimits {
  const { action, expiresAt, createdAt } = record
  if (!isSanctionKind(action)) return { note: '', refusal: null }
  const { longestBanSeconds, longestMuteSeconds, permanentBansNeedApproval } = ownLimits.get(action)
  const limits = { ...NO_LIMITS, longestBanSeconds, longestMuteSeconds, permanentBansNeedApproval }
  const step = permissions.has('moderation.override') ? null : findStep(record, ladders)
  const stepNote = step ? `The ladder decided: ${formatMeasure(step)}. More needs another permission.` : ''
  const note = [describeLimits(limits), stepNote].filter((part) => part !== '').join(' ')
  const currentExpiry = expiresAt === null ? null : new Date(expiresAt).getTime()
  if (newExpiry === undefined || !expiresBefore(currentExpiry, newExpiry)) return { note, refusal: null }
  const seconds =
    newExpiry === null ? null : Math.ceil((newExpiry - new Date(createdAt).getTime()) / SECOND_MS)
  return {
    note,
    refusal: refuseStep(step, { action, durationSeconds: seconds }) ?? refuse(limits, action, seconds),
  }
}

const refuseStep = (step: Measure | null, measure: Measure): string | null =>
  step !== null && compareMeasures(measure, step) > 0
    ? `This is more than the ladder decided (${formatMeasure(step)}). You do not have permission to choose more.`
    : null

const refuse = (limits: typeof NO_LIMITS, action: string, seconds: number | null): string | null =>
  action === 'ban' && decideBan(limits, seconds) === 'approval'
    ? 'Your roles allow a permanent ban only with the approval of another person. Create a new ban, which requests it.'
    : refuseDuration(limits, action, seconds)

/** The step that a ladder decided for a case; null without one, or if the ladder has changed since. */
function findStep(
  { ladderId, ladderVersion, step }: ModerationRecord,
  ladders: readonly Ladder[],
): Measure | null {
  const ladder = ladders.find(({ id, version }) => id === ladderId && version === ladderVersion)
  return ladder?.steps[Number(step) - 1] ?? null
}
