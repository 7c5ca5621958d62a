import { locale } from '../../format/locale.ts'
import { duration, type Moment } from '../../format/time.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const WEEK = 7 * DAY
const YEAR = 365 * DAY
/** Up to here a weekday alone tells which day is meant. */
const NEAR_DAYS = 6

const timeFormat = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
const weekdayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long' })
const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const farFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

const midnight = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()

/** A moment as one says it at `now`, for what comes after “until”: `today 18:00`, `Friday 18:00`, `Saturday 28 November 14:00`. */
export function sayMoment(moment: Moment, now: number): string {
  const at = new Date(moment)
  const days = Math.round((midnight(at) - midnight(new Date(now))) / DAY)
  return `${sayDay(at, days, now)} ${timeFormat.format(at)}`
}

function sayDay(at: Date, days: number, now: number): string {
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  if (days > 0 && days <= NEAR_DAYS) return weekdayFormat.format(at)
  return at.getFullYear() === new Date(now).getFullYear() ? dayFormat.format(at) : farFormat.format(at)
}

/** How long until then, in two units at the most, or in days: `2 days 4 hours`. */
export function sayLeft(moment: Moment, now: number): string {
  const minutes = Math.ceil((new Date(moment).getTime() - now) / MINUTE)
  if (minutes <= 1) return 'less than a minute'
  const left = minutes * MINUTE
  return left < WEEK ? duration(left / 1000) : sayLength((Math.floor(left / DAY) * DAY) / 1000)
}

/** Until when something holds: `until Friday 18:00` or `without end`. @param expiresAt null is never */
export const sayUntil = (expiresAt: Moment | null, now: number): string =>
  expiresAt === null ? 'without end' : `until ${sayMoment(expiresAt, now)}`

/** The same with what is left of it: `until Friday 18:00, 2 days left`. */
export const sayUntilLeft = (expiresAt: Moment | null, now: number): string =>
  expiresAt === null ? 'without end' : `until ${sayMoment(expiresAt, now)}, ${sayLeft(expiresAt, now)} left`

/** Lengths that people ban for, in days as they say it, where `duration` would say weeks and months. */
export function sayLength(seconds: number): string {
  const days = (seconds * 1000) / DAY
  if (!Number.isInteger(days) || seconds * 1000 >= YEAR) return duration(seconds)
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days)
}
