import type { Moment } from '../../format/time.ts'

/** A day of the reader's own calendar: `2026-03-01`. */
export type Day = string

const DAYS_A_WEEK = 7

const two = (value: number): string => String(value).padStart(2, '0')

/** The day on which a moment falls for the reader. */
export function dayOf(moment: Moment): Day {
  const at = new Date(moment)
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Year, month from 0, and day of the month. */
function partsOf(day: Day): readonly [number, number, number] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [year, month - 1, date]
}

/** When a day begins for the reader, in milliseconds. Days on which clocks are changed are shorter or longer than others. */
export const startOf = (day: Day): number => new Date(...partsOf(day)).getTime()

/** Another day, so many days later, or earlier where negative. */
export function addDays(day: Day, days: number): Day {
  const [year, month, date] = partsOf(day)
  return dayOf(new Date(year, month, date + days))
}

/** The same day of another month, or its last one where it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const [year, month, date] = partsOf(day)
  const last = new Date(year, month + months + 1, 0).getDate()
  return dayOf(new Date(year, month + months, Math.min(date, last)))
}

/** The seven days of the week in which a day is. @param first the day that begins a week, as `Intl` counts them */
export function weekOf(day: Day, first: number): readonly Day[] {
  const weekday = new Date(startOf(day)).getDay()
  const since = (weekday - first + 2 * DAYS_A_WEEK) % DAYS_A_WEEK
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(day, index - since))
}

/** The weeks that hold a day's month, whole, so that days of the months around it are among them. */
export function weeksOf(day: Day, first: number): readonly (readonly Day[])[] {
  const weeks: (readonly Day[])[] = []
  let week = weekOf(`${monthOf(day)}-01`, first)
  do {
    weeks.push(week)
    week = weekOf(addDays(week[0] ?? day, DAYS_A_WEEK), first)
  } while (monthOf(week[0] ?? '') === monthOf(day))
  return weeks
}

/** The month of a day: `2026-03`. */
export const monthOf = (day: Day): string => day.slice(0, 'yyyy-mm'.length)
