import { isSanctionKind, type LadderStep, type Measure } from '@reeve/core'
import { pluralize } from '../../../format/number.ts'
import { actionInfo } from '../action-labels.ts'
import { formatSanctionDuration } from '../format-time.ts'

/** `Mute for 1 hour`, `Permanent ban`, `Warning` */
export function formatMeasure({ action, durationSeconds }: Measure): string {
  const { noun } = actionInfo[action]
  if (!isSanctionKind(action)) return noun
  return durationSeconds === null
    ? `Permanent ${noun.toLowerCase()}`
    : `${noun} for ${formatSanctionDuration(durationSeconds)}`
}

/** `1st`, `2nd`, `11th` */
function formatOrdinal(number: number): string {
  const suffixes = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as const
  const category = new Intl.PluralRules('en', { type: 'ordinal' }).select(number)
  return `${number}${suffixes[category as keyof typeof suffixes]}`
}

/** `1st case`, `2nd to 4th case`, `From the 5th case` */
function formatRange(from: number, next: number | undefined): string {
  if (next === undefined) return `From the ${formatOrdinal(from)} case`
  return next === from + 1
    ? `${formatOrdinal(from)} case`
    : `${formatOrdinal(from)} to ${formatOrdinal(next - 1)} case`
}

/** `2nd to 4th case: Mute for 1 hour, counts for 30 days` */
export function formatStep(steps: readonly LadderStep[], index: number): string {
  const step = steps[index]
  if (!step) return ''
  const decay = step.decayDays === null ? '' : `, counts for ${pluralize(step.decayDays, 'day')}`
  return `${formatRange(step.count, steps[index + 1]?.count)}: ${formatMeasure(step)}${decay}`
}
