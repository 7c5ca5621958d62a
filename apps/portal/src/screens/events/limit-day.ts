import { compareDays, type Day } from './calendar.ts'

/** The days of the times that an event can have. */
const [FIRST_DAY, LAST_DAY]: readonly [Day, Day] = ['1970-01-01', '9999-12-31']

/** The day, or the nearest one that an event can be on. */
export function limitDay(day: Day): Day {
  if (compareDays(day, FIRST_DAY) < 0) return FIRST_DAY
  return compareDays(day, LAST_DAY) > 0 ? LAST_DAY : day
}
