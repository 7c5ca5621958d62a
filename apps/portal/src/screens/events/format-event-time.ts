import { locale, timeZoneName } from '../../format/locale.ts'
import { pluralize } from '../../format/number.ts'
import type { Timestamp } from '../../format/time.ts'
import type { TimeSpan } from './assign-lanes.ts'
import { type Day, startOfDay, toDay } from './calendar.ts'

const createFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)

const timeFormat = createFormat({ hour: 'numeric', minute: '2-digit' })
const hourFormat = createFormat({ hour: 'numeric' })
const uses12HourClock = timeFormat.resolvedOptions().hour12 ?? false
const longDayFormat = createFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDayFormat = createFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const monthFormat = createFormat({ month: 'long', year: 'numeric' })
const weekdayFormat = createFormat({ weekday: 'short' })
const momentFormat = createFormat({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** `18:00`; with a 12-hour clock, full hours are short: `6 PM`. */
export function formatTimeOfDay(moment: Timestamp): string {
  const at = new Date(moment)
  return (uses12HourClock && at.getMinutes() === 0 ? hourFormat : timeFormat).format(at)
}
/** `Friday 6 March 2026` */
export const formatLongDay = (day: Day): string => longDayFormat.format(startOfDay(day))
/** `2 events`, `no events` */
export const formatEventCount = (events: number): string =>
  events === 0 ? 'no events' : pluralize(events, 'event')
/** `Friday 6 March 2026, 2 events`. @param isPending omits the count */
export const formatDayLabel = (day: Day, events: number, isPending: boolean): string =>
  isPending ? formatLongDay(day) : `${formatLongDay(day)}, ${formatEventCount(events)}`
/** `6 Mar 2026` */
export const formatShortDay = (day: Day): string => shortDayFormat.format(startOfDay(day))
/** `March 2026` */
export const formatMonth = (day: Day): string => monthFormat.format(startOfDay(day))
/** `Fri` */
export const formatWeekday = (day: Day): string => weekdayFormat.format(startOfDay(day))
/** `2 – 8 Mar 2026` */
export const formatWeekRange = (first: Day, last: Day): string =>
  shortDayFormat.formatRange(startOfDay(first), startOfDay(last))

const isWithinOneDay = ({ start, end }: TimeSpan): boolean => end > start && toDay(start) === toDay(end - 1)

/** `18:00 – 19:00` for a span within one day, which can end at midnight, else `18:00`. */
export function formatTimeRange(span: TimeSpan): string {
  const { start, end } = span
  if (!isWithinOneDay(span)) return timeFormat.format(start)
  // A range that ends on the next day would be formatted with both dates.
  return toDay(start) === toDay(end)
    ? timeFormat.formatRange(start, end)
    : `${timeFormat.format(start)} – ${timeFormat.format(end)}`
}

/** `Friday 6 March 2026, 18:00 – 19:00` */
export const formatDateTimeRange = ({ start, end }: TimeSpan): string =>
  end > start ? momentFormat.formatRange(start, end) : momentFormat.format(start)

/** `Friday 6 March 2026 at 18:00` */
export const formatLongDateTime = (moment: Timestamp): string => momentFormat.format(new Date(moment))

const weekdayTimeFormat = createFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})
/** `Fri 6 Mar, 18:00` */
export const formatWeekdayTime = (moment: Timestamp): string => weekdayTimeFormat.format(new Date(moment))

/** The start and end of an event of several days, as far as they are on a day. An end at midnight is on the day before. */
const onDay = ({ start, end }: TimeSpan, day: Day) => ({
  starts: toDay(start) === day,
  ends: toDay(Math.max(start, end - 1)) === day,
})

/** On one of the days of an event, briefly: `18:00`, `All day` or `until 02:00`. */
export function formatTimeOnDay(span: TimeSpan, day: Day): string {
  const { starts, ends } = onDay(span, day)
  if (starts) return formatTimeOfDay(span.start)
  return ends ? `until ${formatTimeOfDay(span.end)}` : 'All day'
}

/** On one of the days of an event: `18:00 – 19:00`; an end or a start on another day is shown with that day. */
export function formatTimesOnDay(span: TimeSpan, day: Day): string {
  const { starts, ends } = onDay(span, day)
  if (starts && (ends || span.end <= span.start)) return formatTimeRange(span)
  if (starts) return `${timeFormat.format(span.start)} – ${formatWeekdayTime(span.end)}`
  if (ends) return `Until ${timeFormat.format(span.end)}, since ${formatWeekdayTime(span.start)}`
  return `All day, until ${formatWeekdayTime(span.end)}`
}

const zoneFormat = createFormat({ timeZoneName: 'shortOffset' })

/** The user's time zone with its offset at that time: `Europe/Lisbon, GMT+1`. */
export function formatTimeZone(moment: Timestamp): string {
  const offset = zoneFormat.formatToParts(new Date(moment)).find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined || timeZoneName === 'UTC' ? timeZoneName : `${timeZoneName}, ${offset}`
}
