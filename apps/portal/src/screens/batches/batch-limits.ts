import { DEFAULT_SEVERITY, isRecordAction, isSanctionKind, type Severity } from '@reeve/core'
import { pluralize } from '../../format/number.ts'
import type { OwnLimits } from '../moderation/action/own-limits.ts'
import { chooseDefaultSeverity, describeLimits, previewLimits } from '../moderation/action/preview-limits.ts'

interface EnteredBatch {
  readonly action: string
  /** Null is permanent, undefined not chosen yet. */
  readonly seconds: number | null | undefined
  /** That of the template; null without one. */
  readonly severity: string | null
  readonly targets: number
}

/** What the limits of the user say about a batch. The server decides about each target; this says it in advance. */
export function previewBatchLimits(
  ownLimits: OwnLimits,
  { action, seconds, severity, targets }: EnteredBatch,
  now: number,
): { readonly note: string; readonly warning: string | null } {
  // The ladder decides the action of each player, which the preview shows with its limits.
  if (action === 'ladder') {
    const [bans = '', mutes = ''] = ['ban', 'mute'].map((kind) => describeLimits(ownLimits.get(kind)))
    if (bans === mutes) return { note: bans, warning: null }
    const notes = [
      ['bans', bans],
      ['mutes', mutes],
    ].flatMap(([kind, note = '']) => (note === '' ? [] : [`For ${kind}, ${note.replace(/^L/, 'l')}`]))
    return { note: notes.join(' '), warning: null }
  }
  if (!isRecordAction(action)) return { note: '', warning: null }
  const limits = ownLimits.get(action)
  const { note, refusal, needsApproval } = previewLimits(
    ownLimits,
    {
      action,
      seconds: isSanctionKind(action) ? seconds : undefined,
      severity: chooseDefaultSeverity(limits, (severity ?? DEFAULT_SEVERITY[action]) as Severity),
      hasEvidence: false,
    },
    now,
  )
  const bansLeft =
    limits.bansPerHour === null ? targets : Math.max(0, limits.bansPerHour - ownLimits.bansThisHour)
  const warnings = [
    ...(refusal === null ? [] : [refusal]),
    ...(refusal === null && bansLeft < targets
      ? [`Your roles allow ${pluralize(bansLeft, 'more ban')} in this hour: the others will be refused.`]
      : []),
    ...(needsApproval
      ? [
          `Each ban ends after ${pluralize(ownLimits.approvalHours, 'hour')}, unless another person approves that it is permanent.`,
        ]
      : []),
  ]
  return { note, warning: warnings.length === 0 ? null : warnings.join(' ') }
}
