import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useNow } from '../../format/use-now.ts'
import { type Day, dayOf, startOf } from './calendar.ts'
import { EventChip } from './event-chip.tsx'
import { type Event, spanOf } from './event-data.ts'
import { dayWords, eventsWords, monthWords, timeWords, weekdayWords } from './event-words.ts'
import { lanesOf, type Span } from './lanes.ts'
import classes from './week.module.css'

const MINUTE = 60_000
const DAY_MINUTES = 24 * 60
/** As short as it may be and still be pressed. */
const SHORTEST_MINUTES = 40
/** What is seen at first: nobody plans the night. A little more, so that its name is whole. */
const FIRST_HOUR = 7.75

interface Props {
  readonly week: readonly Day[]
  readonly days: ReadonlyMap<Day, readonly Event[]>
  readonly isPending: boolean
  readonly open: (event: Event) => void
  readonly openDay: (day: Day) => void
}

const nothing: readonly Event[] = []
const hours = Array.from({ length: 23 }, (_, index) => index + 1)

/** Minutes since midnight, as clocks show them. */
const minuteOf = (moment: number): number => new Date(moment).getHours() * 60 + new Date(moment).getMinutes()

/** Where an event stands in its day: what runs past midnight goes to the end of the day it begins on. */
function placeOf(event: Event): Span {
  const { start, end } = spanOf(event)
  const from = Math.min(minuteOf(start), DAY_MINUTES - SHORTEST_MINUTES)
  const to = from + Math.max((end - start) / MINUTE, SHORTEST_MINUTES)
  return { start: from, end: Math.min(to, DAY_MINUTES) }
}

const share = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`

/** A week, hour by hour. */
export function WeekView({ week, days, isPending, open, openDay }: Props) {
  const now = useNow()
  const today = dayOf(now)
  const frame = useRef<HTMLElement>(null)
  const first = week[0] ?? today
  // Each week begins at the hour at which people do.
  useEffect(() => {
    const { current } = frame
    if (current) current.scrollTop = (current.scrollHeight * FIRST_HOUR) / 24
  }, [first])
  return (
    <div className={classes.week} aria-busy={isPending || undefined}>
      <div className={classes.heads}>
        <span />
        {week.map((day) => (
          <UnstyledButton
            key={day}
            className={classes.head}
            aria-current={day === today ? 'date' : undefined}
            onClick={() => openDay(day)}
          >
            <Text component="span" size="xs" c="dimmed" fw={600}>
              {weekdayWords(day)}
            </Text>{' '}
            <span className={classes.number}>{Number(day.slice(-2))}</span>
            <VisuallyHidden>
              {monthWords(day)}
              {isPending ? '' : `, ${eventsWords(days.get(day)?.length ?? 0)}`}
            </VisuallyHidden>
          </UnstyledButton>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section ref={frame} className={classes.frame} tabIndex={0} aria-label="Hours of the week">
        <div className={classes.hours}>
          <div className={classes.times} aria-hidden>
            {hours.map((hour) => (
              <span key={hour} style={{ top: share(hour * 60) }}>
                {timeWords(startOf(first) + hour * 60 * MINUTE)}
              </span>
            ))}
          </div>
          {week.map((day, index) => (
            <ol key={day} className={classes.column} aria-label={dayWords(day)}>
              {day === today ? (
                <li className={classes.now} aria-hidden style={{ top: share(minuteOf(now)) }} />
              ) : null}
              {isPending && index % 3 === 1 ? (
                <li className={classes.place} style={{ top: share(10 * 60), height: share(90) }} aria-hidden>
                  <Skeleton height="100%" />
                </li>
              ) : null}
              <Placed events={days.get(day) ?? nothing} open={open} />
            </ol>
          ))}
        </div>
      </section>
    </div>
  )
}

function Placed({ events, open }: { readonly events: readonly Event[]; readonly open: Props['open'] }) {
  const spans = events.map(placeOf)
  const lanes = lanesOf(spans)
  return events.map((event, index) => {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    const { lane, lanes: count } = lanes[index] ?? { lane: 0, lanes: 1 }
    const style = {
      top: share(start),
      height: share(end - start),
      left: `${(lane / count) * 100}%`,
      width: `${100 / count}%`,
    }
    return (
      <li key={event.id} className={classes.place} style={style}>
        <EventChip event={event} open={open} />
      </li>
    )
  })
}
