import { getNow } from '../../../format/clock.ts'
import { locale, timeZoneName } from '../../../format/locale.ts'

/** A calendar month in UTC, as usage is counted: `2026-03`. */
export type Month = string

/** Parses a month from the URL; undefined if it is invalid or in the future. */
export const parsePastMonth = (text: string): Month | undefined =>
  /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= '1970-01' && text <= toMonth(getNow()) ? text : undefined

export const toMonth = (at: number): Month => new Date(at).toISOString().slice(0, 7)

/** Adds months; negative values go back. */
export function addMonths(month: Month, months = 1): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return toMonth(Date.UTC(year, number - 1 + months, 1))
}

/** The start of the month and of the next one, in RFC 3339. */
export const getMonthRange = (month: Month): { readonly from: string; readonly to: string } => ({
  from: `${month}-01T00:00:00.000Z`,
  to: `${addMonths(month)}-01T00:00:00.000Z`,
})

/** The days of the month up to today: `2026-03-01`. */
export function listDays(month: Month, now: number): string[] {
  const today = new Date(now).toISOString().slice(0, 10)
  const days = Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
  const lastDay = new Date(Date.parse(getMonthRange(month).to) - 1).toISOString().slice(0, 10)
  return days.filter((day) => day <= lastDay && day <= today)
}

const monthFormat = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

/** `March 2026`. */
export const formatMonth = (month: Month): string => monthFormat.format(Date.parse(`${month}-01`))

/** `Sun, 1 Mar`. @param day `2026-03-01` */
export const formatDay = (day: string): string => dayFormat.format(Date.parse(day))

/** Explains when a UTC day begins in the user's time zone. */
export function describeDayBoundary(now: number): string {
  const midnight = new Date(new Date(now).setUTCHours(0, 0, 0, 0))
  const isUtc = midnight.getTimezoneOffset() === 0
  return isUtc
    ? 'Days begin at midnight UTC.'
    : `Days begin at midnight UTC, ${timeFormat.format(midnight)} in ${timeZoneName}.`
}
