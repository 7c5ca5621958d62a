import { Badge, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNow } from '../../format/use-now.ts'
import { type Day, toDay } from './calendar.ts'
import type { Event } from './event-data.ts'
import { EventRow } from './event-row.tsx'
import classes from './events.module.css'
import { formatLongDay } from './format-event-time.ts'

interface Props {
  readonly day: Day
  readonly events: readonly Event[]
  readonly open: (event: Event) => void
  readonly children?: ReactNode
}

/** The events of a day under a heading. */
export function DayList({ day, events, open, children }: Props) {
  const isToday = day === toDay(useNow())
  return (
    <section className={classes.day} aria-label={formatLongDay(day)}>
      <div className={classes.dayHeader}>
        <Title order={3} size="sm">
          {formatLongDay(day)}
        </Title>
        {isToday ? (
          <Badge size="sm" variant="light">
            Today
          </Badge>
        ) : null}
      </div>
      {events.length === 0 ? (
        <Text size="sm" c="dimmed">
          No events.
        </Text>
      ) : (
        <EventRows day={day} events={events} open={open} />
      )}
      {children}
    </section>
  )
}

/** The events of a day, soonest first. */
export const EventRows = ({ day, events, open }: Pick<Props, 'day' | 'events' | 'open'>) => (
  <ol className={classes.rows}>
    {events.map((event) => (
      <li key={event.id}>
        <EventRow event={event} day={day} open={open} />
      </li>
    ))}
  </ol>
)
