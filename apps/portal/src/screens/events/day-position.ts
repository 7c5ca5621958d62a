import type { TimeSpan } from './assign-lanes.ts'
import { type Day, toDay } from './calendar.ts'
import { type Event, getEventDays, getTimeSpan } from './event-data.ts'

export const DAY_MINUTES = 24 * 60
/** The minimum displayed length, so that an event stays clickable. */
const MIN_EVENT_MINUTES = 40

/** Minutes since midnight in local time. */
export const toMinuteOfDay = (moment: number): number =>
  new Date(moment).getHours() * 60 + new Date(moment).getMinutes()

/** The position of an event within one of its days, in minutes: from midnight if it began before, to midnight if it continues. */
export function getDayPosition(event: Event, day: Day): TimeSpan {
  const { start, end } = getTimeSpan(event)
  const { first, last } = getEventDays(event)
  const from = first < day ? 0 : Math.min(toMinuteOfDay(start), DAY_MINUTES - MIN_EVENT_MINUTES)
  const endsOnDay = last <= day && toDay(end) === day
  const to = endsOnDay ? toMinuteOfDay(end) : DAY_MINUTES
  return { start: from, end: Math.max(to, from + MIN_EVENT_MINUTES) }
}
