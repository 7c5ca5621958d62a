import { locale } from './locale.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const units = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const

const inNumbers = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
/** Days have words of their own: `yesterday`, `tomorrow`. */
const inDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const dateFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const dateTimeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
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

/** Any of the ways in which a time comes: from the server as text, from a clock as milliseconds. */
export type Moment = string | number | Date

/** `2 hours ago`, `in 3 days`, `now`. */
export function relativeTime(moment: Moment, now: number): string {
  const distance = new Date(moment).getTime() - now
  const size = Math.abs(distance)
  if (size < 45 * SECOND) return distance > 0 ? 'in a moment' : 'just now'
  if (size < MINUTE) return inNumbers.format(Math.sign(distance), 'minute')
  const [unit, length] = units.find(([, one]) => size >= one) ?? ['minute', MINUTE]
  if (unit === 'day') return inDays.format(daysBetween(now, new Date(moment).getTime()), unit)
  return inNumbers.format(Math.round(distance / length), unit)
}

/** How many midnights of the reader's zone lie between two moments. */
function daysBetween(from: number, to: number): number {
  const midnight = (at: number) => new Date(at).setHours(0, 0, 0, 0)
  return Math.round((midnight(to) - midnight(from)) / DAY)
}

/** `1 Mar 2026`. */
export const date = (moment: Moment): string => dateFormat.format(new Date(moment))

/** `1 Mar 2026, 18:00`. */
export const dateTime = (moment: Moment): string => dateTimeFormat.format(new Date(moment))

/** `Sunday 1 March 2026 at 18:00:00 Western European Standard Time`: with the reader's zone named. */
export const exactTime = (moment: Moment): string => exactFormat.format(new Date(moment))

/** A length of time in its two largest units: `2 days 4 hours`. @param seconds whole seconds */
export function duration(seconds: number): string {
  const parts: string[] = []
  let rest = seconds * SECOND
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length)
    if (count > 0) parts.push(amount(count, unit))
    rest -= count * length
    if (parts.length === 2 || (parts.length > 0 && count === 0)) break
  }
  return parts.join(' ') || amount(0, 'second')
}

const amount = (count: number, unit: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
