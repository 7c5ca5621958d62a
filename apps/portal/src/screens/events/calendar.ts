import type { Timestamp } from '../../format/time.ts'

/** A day in the user's time zone: `2026-03-01`. */
export type Day = string

const DAYS_A_WEEK = 7

export const padTwo = (value: number): string => String(value).padStart(2, '0')

/** The day of a timestamp in the user's time zone. */
export function toDay(moment: Timestamp): Day {
  const at = new Date(moment)
  return `${String(at.getFullYear()).padStart(4, '0')}-${padTwo(at.getMonth() + 1)}-${padTwo(at.getDate())}`
}

/** Year, month from 0, and day of the month. */
function parseDay(day: Day): readonly [number, number, number] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [year, month - 1, date]
}

/** The start of a day in the user's time zone, in milliseconds. Days with a clock change are shorter or longer. */
export const startOfDay = (day: Day): number => new Date(...parseDay(day)).getTime()

/** Negative if `a` is before `b`. As texts, days of the year 10000 would be before all others. */
export const compareDays = (a: Day, b: Day): number => startOfDay(a) - startOfDay(b)

/** Adds days; negative values go back. */
export function addDays(day: Day, days: number): Day {
  const [year, month, date] = parseDay(day)
  return toDay(new Date(year, month, date + days))
}

/** Adds months and keeps the day of the month, or takes the last day of a shorter month. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = parseDay(day)
  const lastDate = new Date(year, month + months + 1, 0).getDate()
  return toDay(new Date(year, month + months, Math.min(date, lastDate)))
}

/** The seven days of the week of a day. @param firstWeekday 1 (Monday) to 7 (Sunday), as in `Intl` */
export function listWeekDays(day: Day, firstWeekday: number): readonly Day[] {
  const weekday = new Date(startOfDay(day)).getDay()
  const daysSinceWeekStart = (weekday - firstWeekday + 2 * DAYS_A_WEEK) % DAYS_A_WEEK
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(day, index - daysSinceWeekStart))
}

/** The full weeks of a day's month, including days of the adjacent months. */
export function listMonthWeeks(day: Day, firstWeekday: number): readonly (readonly Day[])[] {
  const weeks: (readonly Day[])[] = []
  let week = listWeekDays(`${toMonth(day)}-01`, firstWeekday)
  do {
    weeks.push(week)
    week = listWeekDays(addDays(week[0] ?? day, DAYS_A_WEEK), firstWeekday)
  } while (toMonth(week[0] ?? '') === toMonth(day))
  return weeks
}

/** The month of a day: `2026-03`. */
export const toMonth = (day: Day): string => day.slice(0, 'yyyy-mm'.length)
