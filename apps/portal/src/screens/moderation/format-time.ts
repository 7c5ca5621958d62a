import { DAY_MS, MINUTE_MS, SECOND_MS } from '@reeve/core'
import { locale } from '../../format/locale.ts'
import { CLOCK_TOLERANCE_MS, formatDuration, formatTimeOfDay, type Timestamp } from '../../format/time.ts'

const WEEK_MS = 7 * DAY_MS
const YEAR_MS = 365 * DAY_MS
/** Up to this many days ahead, the weekday alone is unambiguous. */
const WEEKDAY_ONLY_DAYS = 6

const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long' })
const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const dayWithYearFormat = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

const midnight = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

/** A date and time for use in a sentence: `today 18:00`, `Friday 18:00`, `Saturday 28 November 14:00`, `27 February 2027 14:00`. */
export function formatMoment(timestamp: Timestamp, now: number): string {
  const date = new Date(timestamp)
  const days = Math.round((midnight(date) - midnight(new Date(now))) / DAY_MS)
  return `${formatDay(date, days, now)} ${formatTimeOfDay(date)}`
}

function formatDay(date: Date, days: number, now: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  if (days > 0 && days <= WEEKDAY_ONLY_DAYS) return weekdayFormat.format(date)
  return date.getFullYear() === new Date(now).getFullYear()
    ? dayFormat.format(date)
    : dayWithYearFormat.format(date)
}

/** The time left, in at most two units: `2 days 4 hours`; in days from a week on. */
export function formatRemaining(timestamp: Timestamp, now: number): string {
  const minutes = Math.ceil((new Date(timestamp).getTime() - now - CLOCK_TOLERANCE_MS) / MINUTE_MS)
  if (minutes <= 1) return 'less than a minute'
  const remainingMs = minutes * MINUTE_MS
  return remainingMs < WEEK_MS
    ? formatDuration(remainingMs / SECOND_MS)
    : formatSanctionDuration((Math.floor(remainingMs / DAY_MS) * DAY_MS) / SECOND_MS)
}

/** When a sanction ends: `until Friday 18:00` or `permanently`. @param expiresAt null if it never expires */
export const formatUntil = (expiresAt: Timestamp | null, now: number): string =>
  expiresAt === null ? 'permanently' : `until ${formatMoment(expiresAt, now)}`

/** With the time left: `until Friday 18:00, 2 days left`. */
export const formatUntilWithRemaining = (expiresAt: Timestamp | null, now: number): string =>
  expiresAt === null
    ? 'permanently'
    : `until ${formatMoment(expiresAt, now)}, ${formatRemaining(expiresAt, now)} left`

/** The duration of a ban or mute. Whole days stay days, where `formatDuration` uses weeks and months. */
export function formatSanctionDuration(seconds: number): string {
  const days = (seconds * SECOND_MS) / DAY_MS
  if (!Number.isInteger(days) || seconds * SECOND_MS >= YEAR_MS) return formatDuration(seconds)
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}
