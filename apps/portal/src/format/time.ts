import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@reeve/core'
import { locale } from './locale.ts'

/** The units of a duration, with their length in milliseconds. */
const units = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['week', 7 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const

const numericRelativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
/** For days: `yesterday`, `tomorrow`. */
const dayRelativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dateTimeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const zoneFormat = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
const exactFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'long',
})

const timeOfDayFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

/** An ISO timestamp, milliseconds since the epoch, or a date. */
export type Timestamp = string | number | Date

/** How exactly the server's time is known. A time that is less than this ahead may already have passed. */
export const CLOCK_TOLERANCE_MS = 2 * SECOND_MS

/** `2 hours ago`, `in 3 days`, `just now`. */
export function formatRelativeTime(timestamp: Timestamp, now: number): string {
  const offsetMs = new Date(timestamp).getTime() - now
  const absoluteMs = Math.abs(offsetMs)
  if (absoluteMs < 45 * SECOND_MS) return offsetMs > CLOCK_TOLERANCE_MS ? 'in a moment' : 'just now'
  if (absoluteMs < MINUTE_MS) return numericRelativeFormat.format(Math.sign(offsetMs), 'minute')
  const [unit, length] = units.find(([, candidateLength]) => absoluteMs >= candidateLength) ?? [
    'minute',
    MINUTE_MS,
  ]
  if (unit === 'day') return dayRelativeFormat.format(daysBetween(now, new Date(timestamp).getTime()), unit)
  return numericRelativeFormat.format(Math.round(offsetMs / length), unit)
}

/** The number of local midnights between two times. */
function daysBetween(from: number, to: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0)
  return Math.round((midnight(to) - midnight(from)) / DAY_MS)
}

/** `1 Mar 2026`. */
export const formatDate = (timestamp: Timestamp): string => dateFormat.format(new Date(timestamp))

/** `1 Mar 2026, 18:00`. */
export const formatDateTime = (timestamp: Timestamp): string => dateTimeFormat.format(new Date(timestamp))

/** `1 Mar 2026, 18:00 CET`: with the time zone, for what people in other zones talk about. */
export function formatZonedTime(timestamp: Timestamp): string {
  const zone = zoneFormat.formatToParts(new Date(timestamp)).find(({ type }) => type === 'timeZoneName')
  return `${formatDateTime(timestamp)} ${zone?.value ?? ''}`
}

/** `14:05`. */
export const formatTimeOfDay = (timestamp: Timestamp): string => timeOfDayFormat.format(new Date(timestamp))

/** `Sunday 1 March 2026 at 18:00:00 Western European Standard Time`: with the name of the time zone. */
export const formatExactTime = (timestamp: Timestamp): string => exactFormat.format(new Date(timestamp))

/** A duration in its two largest units: `2 days 4 hours`. @param seconds whole seconds */
export function formatDuration(seconds: number): string {
  const parts: string[] = []
  let remainingMs = seconds * SECOND_MS
  for (const [unit, length] of units) {
    const count = Math.floor(remainingMs / length)
    if (count > 0) parts.push(formatUnit(count, unit))
    remainingMs -= count * length
    if (parts.length === 2 || (parts.length > 0 && count === 0)) break
  }
  return parts.join(' ') || formatUnit(0, 'second')
}

const formatUnit = (count: number, unit: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
