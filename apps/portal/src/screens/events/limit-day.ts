import { wire } from '@reeve/core'
import { compareDays, type Day } from './calendar.ts'

const toDay = (time: number): Day => new Date(time).toISOString().slice(0, 10)
/** The days of the times that an event can have. */
const [FIRST_DAY, LAST_DAY] = [toDay(0), toDay(wire.MAX_TIME)]

/** The day, or the nearest one that an event can be on. */
export function limitDay(day: Day): Day {
  if (compareDays(day, FIRST_DAY) < 0) return FIRST_DAY
  return compareDays(day, LAST_DAY) > 0 ? LAST_DAY : day
}
