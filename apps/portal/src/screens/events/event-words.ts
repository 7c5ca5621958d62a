import { locale, timeZone } from '../../format/locale.ts'
import { count } from '../../format/number.ts'
import type { Moment } from '../../format/time.ts'
import { type Day, dayOf, startOf } from './calendar.ts'
import type { Span } from './lanes.ts'

const formats = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)

const timeFormat = formats({ hour: 'numeric', minute: '2-digit' })
const hourFormat = formats({ hour: 'numeric' })
const isTwelveHours = timeFormat.resolvedOptions().hour12 ?? false
const longDayFormat = formats({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const shortDayFormat = formats({ day: 'numeric', month: 'short', year: 'numeric' })
const monthFormat = formats({ month: 'long', year: 'numeric' })
const weekdayFormat = formats({ weekday: 'short' })
const momentFormat = formats({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** `18:00`; where hours are counted twice, full ones are short: `6 PM`. */
export function timeWords(moment: Moment): string {
  const at = new Date(moment)
  return (isTwelveHours && at.getMinutes() === 0 ? hourFormat : timeFormat).format(at)
}
/** `Friday 6 March 2026` */
export const dayWords = (day: Day): string => longDayFormat.format(startOf(day))
/** `2 events`, `no events` */
export const eventsWords = (events: number): string => (events === 0 ? 'no events' : count(events, 'event'))
/** `Friday 6 March 2026, 2 events`. @param isPending they are not known yet */
export const dayLabel = (day: Day, events: number, isPending: boolean): string =>
  isPending ? dayWords(day) : `${dayWords(day)}, ${eventsWords(events)}`
/** `6 Mar 2026` */
export const shortDayWords = (day: Day): string => shortDayFormat.format(startOf(day))
/** `March 2026` */
export const monthWords = (day: Day): string => monthFormat.format(startOf(day))
/** `Fri` */
export const weekdayWords = (day: Day): string => weekdayFormat.format(startOf(day))
/** `2 – 8 Mar 2026` */
export const weekWords = (first: Day, last: Day): string =>
  shortDayFormat.formatRange(startOf(first), startOf(last))

const onOneDay = ({ start, end }: Span): boolean => end > start && dayOf(start) === dayOf(end)

/** `18:00 – 19:00` of what ends on the same day, else `18:00`. */
export const hoursWords = (span: Span): string =>
  onOneDay(span) ? timeFormat.formatRange(span.start, span.end) : timeFormat.format(span.start)

/** `Friday 6 March 2026, 18:00 – 19:00` */
export const spanWords = ({ start, end }: Span): string =>
  end > start ? momentFormat.formatRange(start, end) : momentFormat.format(start)

/** `Friday 6 March 2026 at 18:00` */
export const momentWords = (moment: Moment): string => momentFormat.format(new Date(moment))

const zoneFormat = formats({ timeZoneName: 'shortOffset' })

/** The reader's zone by its name, and how it stands at a moment: `Europe/Lisbon, GMT+1`. */
export function zoneWords(moment: Moment): string {
  const offset = zoneFormat.formatToParts(new Date(moment)).find(({ type }) => type === 'timeZoneName')?.value
  const name = timeZone.replaceAll('_', ' ')
  return offset === undefined || name === 'UTC' ? name : `${name}, ${offset}`
}
