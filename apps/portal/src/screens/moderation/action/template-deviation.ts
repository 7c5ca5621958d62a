import { CREATE_PERMISSIONS, type Measure, type Permission, type RecordAction } from '@reeve/core'
import { actionInfo } from '../action-labels.ts'
import { formatMeasure } from '../templates/format-measure.ts'
import type { SanctionDuration } from './duration.ts'
import { compareToLadder } from './use-template.ts'

/** What the form is about to do; null while its duration is missing. */
export function toPlannedMeasure(action: RecordAction, duration: SanctionDuration | null): Measure | null {
  if (duration === null) return { action, durationSeconds: null }
  return duration.problem ? null : { action, durationSeconds: duration.seconds }
}

export interface Deviation {
  readonly text: string
  readonly isForbidden: boolean
}

/** Says that the form does something else than the ladder decides; null if it does not. */
export function explainDeviation(
  decided: Measure | null,
  measure: Measure | null,
  permissions: ReadonlySet<Permission>,
): Deviation | null {
  const comparison = compareToLadder(decided, measure)
  if (decided === null || comparison === 'same') return null
  const step = formatMeasure(decided)
  if (comparison === 'more') {
    const isForbidden = !permissions.has('moderation.override')
    const advice = isForbidden
      ? 'You do not have permission to choose more: choose what the ladder decides, or less.'
      : 'You may choose more.'
    return { text: `This is more than the ladder decides (${step}). ${advice}`, isForbidden }
  }
  const lacksPermission = !permissions.has(CREATE_PERMISSIONS[decided.action])
  return {
    text: lacksPermission
      ? `The ladder decides: ${step}. You do not have permission to ${actionInfo[decided.action].label.toLowerCase()} players: choose less and say why, or ask someone who can.`
      : `This is less than the ladder decides (${step}). Say why in the reason.`,
    isForbidden: false,
  }
}

/** The description of the reason of a record with a template. */
export const describeReason = (comparison: ReturnType<typeof compareToLadder>): string =>
  comparison === 'less'
    ? 'Why you choose less than the ladder. Only staff read it'
    : 'Optional: what only staff read. Empty for the text of the template'
