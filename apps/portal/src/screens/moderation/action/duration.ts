import {
  DAY_SECONDS,
  HOUR_SECONDS,
  MINUTE_MS,
  MINUTE_SECONDS,
  type SanctionKind,
  SECOND_MS,
} from '@reeve/core'
import { formatSanctionDuration } from '../format-time.ts'

/** Common durations, in seconds. */
const presets: Readonly<Record<SanctionKind, readonly number[]>> = {
  ban: [
    HOUR_SECONDS,
    DAY_SECONDS,
    3 * DAY_SECONDS,
    7 * DAY_SECONDS,
    14 * DAY_SECONDS,
    30 * DAY_SECONDS,
    90 * DAY_SECONDS,
  ],
  mute: [
    10 * MINUTE_SECONDS,
    HOUR_SECONDS,
    6 * HOUR_SECONDS,
    DAY_SECONDS,
    3 * DAY_SECONDS,
    7 * DAY_SECONDS,
    30 * DAY_SECONDS,
  ],
}

export const PERMANENT = 'permanent'
export const UNTIL_DATE = 'until'

/** The durations to choose from. @param extraSeconds one more, unless it is among them; null for none */
export const durationOptions = (kind: SanctionKind, extraSeconds: number | null = null) => [
  ...[...new Set([...presets[kind], ...(extraSeconds === null ? [] : [extraSeconds])])]
    .sort((one, other) => one - other)
    .map((seconds) => ({ value: String(seconds), label: formatSanctionDuration(seconds) })),
  { value: PERMANENT, label: 'Permanent' },
  { value: UNTIL_DATE, label: 'Until…' },
]

/** The value of a `datetime-local` input, in the user's time zone. */
export function toDateTimeLocal(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * MINUTE_MS)
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** A duration in seconds, where null is permanent, or the field that is invalid. */
export type SanctionDuration =
  | { readonly seconds: number | null; readonly problem?: never }
  | { readonly problem: { readonly field: 'durationSeconds' | 'until'; readonly message: string } }

/**
 * Reads the duration from the form.
 * @param choice seconds, `PERMANENT` or `UNTIL_DATE`
 * @param until a local time, for `UNTIL_DATE`
 */
export function parseDuration(choice: string, until: string, now: number): SanctionDuration {
  if (choice === '') return { problem: { field: 'durationSeconds', message: 'is required' } }
  if (choice === PERMANENT) return { seconds: null }
  if (choice !== UNTIL_DATE) return { seconds: Number(choice) }
  const end = new Date(until).getTime()
  if (Number.isNaN(end)) return { problem: { field: 'until', message: 'is required' } }
  const seconds = Math.ceil((end - now) / SECOND_MS)
  return seconds > 0 ? { seconds } : { problem: { field: 'until', message: 'must be in the future' } }
}
