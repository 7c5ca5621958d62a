import { sayLength } from '../when.ts'
import type { Restraint } from '../words.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What people hold a player for, in seconds. */
const presets: Readonly<Record<Restraint, readonly number[]>> = {
  ban: [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY],
  mute: [10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY],
}

export const WITHOUT_END = 'permanent'
export const EXACT = 'exact'

/** The lengths to choose from. */
export const lengthOptions = (kind: Restraint) => [
  ...presets[kind].map((seconds) => ({ value: String(seconds), label: sayLength(seconds) })),
  { value: WITHOUT_END, label: 'Without end' },
  { value: EXACT, label: 'Until…' },
]

/** A moment as a field for date and time reads it, in the reader's zone. */
export function forField(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * MINUTE * 1000)
  return local.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}

/** How long, in seconds; null is without end. A problem is told after the field's name. */
export type Length =
  | { readonly seconds: number | null; readonly problem?: never }
  | { readonly problem: { readonly field: 'durationSeconds' | 'until'; readonly message: string } }

/**
 * What the two fields say.
 * @param choice seconds, `permanent`, or `exact`
 * @param until a local time, for `exact`
 */
export function lengthOf(choice: string, until: string, now: number): Length {
  if (choice === '') return { problem: { field: 'durationSeconds', message: 'is required' } }
  if (choice === WITHOUT_END) return { seconds: null }
  if (choice !== EXACT) return { seconds: Number(choice) }
  const end = new Date(until).getTime()
  if (Number.isNaN(end)) return { problem: { field: 'until', message: 'is required' } }
  const seconds = Math.ceil((end - now) / 1000)
  return seconds > 0 ? { seconds } : { problem: { field: 'until', message: 'has to be in the future' } }
}
