import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { MINUTE_MS } from '@reeve/core'
import { useEffect, useRef } from 'react'
import { useNow } from '../../format/use-now.ts'
import { assignLanes, type TimeSpan } from './assign-lanes.ts'
import { type Day, startOfDay, toDay } from './calendar.ts'
import { EventChip } from './event-chip.tsx'
import { type Event, getTimeSpan } from './event-data.ts'
import {
  formatEventCount,
  formatLongDay,
  formatMonth,
  formatTimeOfDay,
  formatWeekday,
} from './format-event-time.ts'
import classes from './week.module.css'

const DAY_MINUTES = 24 * 60
/** The minimum displayed length, so that an event stays clickable. */
const MIN_EVENT_MINUTES = 40
/** The initial scroll position: few events are at night. A quarter of an hour before 8, so that its label is visible. */
const INITIAL_SCROLL_HOUR = 7.75

interface Props {
  readonly week: readonly Day[]
  readonly days: ReadonlyMap<Day, readonly Event[]>
  readonly isPending: boolean
  readonly open: (event: Event) => void
  readonly openDay: (day: Day) => void
}

const noEvents: readonly Event[] = []
const hours = Array.from({ length: 23 }, (_, index) => index + 1)

/** Minutes since midnight in local time. */
const toMinuteOfDay = (moment: number): number =>
  new Date(moment).getHours() * 60 + new Date(moment).getMinutes()

/** The position of an event within its day, in minutes. Events past midnight are cut at the end of the first day. */
function getDayPosition(event: Event): TimeSpan {
  const { start, end } = getTimeSpan(event)
  const from = Math.min(toMinuteOfDay(start), DAY_MINUTES - MIN_EVENT_MINUTES)
  const to = from + Math.max((end - start) / MINUTE_MS, MIN_EVENT_MINUTES)
  return { start: from, end: Math.min(to, DAY_MINUTES) }
}

const toPercent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** The week view with one column per day. */
export function WeekView({ week, days, isPending, open, openDay }: Props) {
  const now = useNow()
  const today = toDay(now)
  const scrollArea = useRef<HTMLElement>(null)
  const firstWeekDay = week[0] ?? today
  // Each week starts at the same scroll position.
  useEffect(() => {
    const { current } = scrollArea
    if (current) current.scrollTop = (current.scrollHeight * INITIAL_SCROLL_HOUR) / 24
  }, [firstWeekDay])
  return (
    <div className={classes.week} aria-busy={isPending || undefined}>
      <div className={classes.headers}>
        <span />
        {week.map((day) => (
          <UnstyledButton
            key={day}
            className={classes.dayHeader}
            aria-current={day === today ? 'date' : undefined}
            onClick={() => openDay(day)}
          >
            <Text component="span" size="xs" c="dimmed" fw={600}>
              {formatWeekday(day)}
            </Text>{' '}
            <span className={classes.number}>{Number(day.slice(-2))}</span>
            <VisuallyHidden>
              {formatMonth(day)}
              {isPending ? '' : `, ${formatEventCount(days.get(day)?.length ?? 0)}`}
            </VisuallyHidden>
          </UnstyledButton>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <section ref={scrollArea} className={classes.scrollArea} tabIndex={0} aria-label="Week by hour">
        <div className={classes.hours}>
          <div className={classes.timeAxis} aria-hidden>
            {hours.map((hour) => (
              <span key={hour} style={{ top: toPercent(hour * 60) }}>
                {formatTimeOfDay(startOfDay(firstWeekDay) + hour * 60 * MINUTE_MS)}
              </span>
            ))}
          </div>
          {week.map((day, index) => (
            <ol key={day} className={classes.column} aria-label={formatLongDay(day)}>
              {day === today ? (
                <li className={classes.now} aria-hidden style={{ top: toPercent(toMinuteOfDay(now)) }} />
              ) : null}
              {isPending && index % 3 === 1 ? (
                <li
                  className={classes.slot}
                  style={{ top: toPercent(10 * 60), height: toPercent(90) }}
                  aria-hidden
                >
                  <Skeleton height="100%" />
                </li>
              ) : null}
              <PositionedEvents events={days.get(day) ?? noEvents} open={open} />
            </ol>
          ))}
        </div>
      </section>
    </div>
  )
}

function PositionedEvents({
  events,
  open,
}: {
  readonly events: readonly Event[]
  readonly open: Props['open']
}) {
  const spans = events.map(getDayPosition)
  const lanes = assignLanes(spans)
  return events.map((event, index) => {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    const { lane, lanes: count } = lanes[index] ?? { lane: 0, lanes: 1 }
    const style = {
      top: toPercent(start),
      height: toPercent(end - start),
      left: `${(lane / count) * 100}%`,
      width: `${100 / count}%`,
    }
    return (
      <li key={event.id} className={classes.slot} style={style}>
        <EventChip event={event} open={open} />
      </li>
    )
  })
}
