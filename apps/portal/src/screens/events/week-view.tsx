import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useNow } from '../../format/use-now.ts'
import { assignLanes } from './assign-lanes.ts'
import { type Day, toDay } from './calendar.ts'
import { DAY_MINUTES, getDayPosition, toMinuteOfDay } from './day-position.ts'
import { EventChip } from './event-chip.tsx'
import type { Event } from './event-data.ts'
import {
  formatEventCount,
  formatLongDay,
  formatMonth,
  formatTimeOfDay,
  formatWeekday,
} from './format-event-time.ts'
import { type HiddenEvents, useWeekScroll } from './use-week-scroll.ts'
import classes from './week.module.css'

interface Props {
  readonly week: readonly Day[]
  readonly days: ReadonlyMap<Day, readonly Event[]>
  readonly isPending: boolean
  readonly open: (event: Event) => void
  readonly openDay: (day: Day) => void
}

const noEvents: readonly Event[] = []
const hours = Array.from({ length: 23 }, (_, index) => index + 1)

/** An hour as a time of day: on a day without a clock change, which shifts the hours after it. */
const formatHour = (hour: number): string => formatTimeOfDay(new Date(2024, 0, 15, hour).getTime())

const toPercent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** The week view with one column per day. */
export function WeekView({ week, days, isPending, open, openDay }: Props) {
  const now = useNow()
  const today = toDay(now)
  const firstWeekDay = week[0] ?? today
  const { areaProps, above, below } = useWeekScroll({
    week: firstWeekDay,
    positions: isPending
      ? null
      : week.flatMap((day) => (days.get(day) ?? noEvents).map((event) => getDayPosition(event, day))),
    nowMinute: week.includes(today) ? toMinuteOfDay(now) : null,
  })
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
      <div className={classes.body}>
        <HiddenEventsButton hidden={above} side="above" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
        <section {...areaProps} className={classes.scrollArea} tabIndex={0} aria-label="Week by hour">
          <div className={classes.hours}>
            <div className={classes.timeAxis} aria-hidden>
              {hours.map((hour) => (
                <span key={hour} style={{ top: toPercent(hour * 60) }}>
                  {formatHour(hour)}
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
                <PositionedEvents day={day} events={days.get(day) ?? noEvents} open={open} />
              </ol>
            ))}
          </div>
        </section>
        <HiddenEventsButton hidden={below} side="below" />
      </div>
    </div>
  )
}

/** A button over an edge of the hours that scrolls to events beyond it; nothing if all events are in view. */
const HiddenEventsButton = ({
  hidden,
  side,
}: {
  readonly hidden: HiddenEvents | null
  readonly side: 'above' | 'below'
}) =>
  hidden ? (
    <UnstyledButton className={classes.hidden} data-side={side} onClick={hidden.show}>
      {side === 'above' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />}
      {formatEventCount(hidden.count)} {side === 'above' ? 'earlier' : 'later'} in the day
    </UnstyledButton>
  ) : null

function PositionedEvents({
  day,
  events,
  open,
}: {
  readonly day: Day
  readonly events: readonly Event[]
  readonly open: Props['open']
}) {
  const spans = events.map((event) => getDayPosition(event, day))
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
        <EventChip event={event} day={day} open={open} />
      </li>
    )
  })
}
