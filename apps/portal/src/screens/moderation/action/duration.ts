import type { SanctionKind } from '@reeve/core'
import { formatSanctionDuration } from '../format-time.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What people hold a player for, in seconds. */
const presets: Readonly<Record<SanctionKind, readonly number[]>> = {
  ban: [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY],
  mute: [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY],
}

export const PERMANENT = 'permanent'
export const UNTIL_DATE = 'exact'

/** The lengths to choose from. */
export const durationOptions = (kind: SanctionKind) => [
  ...presets[kind].map((seconds) => ({ value: String(seconds), label: formatSanctionDuration(seconds) })),
  { value: PERMANENT, label: 'Without end' },
  { value: UNTIL_DATE, label: 'Until…' },
]

/** A moment as a field for date and time reads it, in the reader's zone. */
export function toDateTimeLocal(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE * 1000)
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** How long, in seconds; null is without end. A problem is told after the field's name. */
export type SanctionDuration =
  | { readonly seconds: number | null; readonly problem?: never }
  | { readonly problem: { readonly field: 'durationSeconds' | 'until'; readonly message: string } }

/**
 * What the two fields say.
 * @param choice seconds, `permanent`, or `exact`
 * @param until a local time, for `exact`
 */
export function parseDuration(choice: string, until: string, now: number): SanctionDuration {
  if (choice === '') return { problem: { field: 'durationSeconds', message: 'is required' } }
  if (choice === PERMANENT) return { seconds: null }
  if (choice !== UNTIL_DATE) return { seconds: Number(choice) }
  const end = new Date(until).getTime()
  if (Number.isNaN(end)) return { problem: { field: 'until', message: 'is required' } }
  const seconds = Math.ceil((end - now) / 1000)
  return seconds > 0 ? { seconds } : { problem: { field: 'until', message: 'has to be in the future' } }
}
