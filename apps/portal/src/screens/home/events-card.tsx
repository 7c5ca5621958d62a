import { Anchor, Badge, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { RelativeTimeSuffix } from '../../components/formatted-time.tsx'
import { locale } from '../../format/locale.ts'
import { useNow } from '../../format/use-now.ts'
import classes from './home.module.css'
import type { OverviewSection } from './overview.ts'

const day = new Intl.DateTimeFormat(locale, { day: 'numeric' })
const month = new Intl.DateTimeFormat(locale, { month: 'short' })
const time = new Intl.DateTimeFormat(locale, { weekday: 'long', hour: 'numeric', minute: '2-digit' })

/** The next events, in the user's time zone. */
export function EventsCard({ events }: { readonly events: OverviewSection<'nextEvents'> }) {
  const { id } = useWorkspace()
  const to = `/w/${id}/events`
  return (
    <Card
      title="Next events"
      actions={
        <Anchor component={Link} to={to} size="sm" data-tap>
          All events
        </Anchor>
      }
    >
      {events.length === 0 ? (
        <Text size="sm" c="dimmed">
          No upcoming events. Trainings, shifts and meetings appear here once they are scheduled.
        </Text>
      ) : (
        <ul className={classes.list} aria-label="Next events">
          {events.map((event) => (
            <li key={event.id}>
              <NextEvent event={event} to={to} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function NextEvent({
  event,
  to,
}: {
  readonly event: OverviewSection<'nextEvents'>[number]
  readonly to: string
}) {
  const { title, eventType, scheduledFor, published } = event
  const at = new Date(scheduledFor)
  const hasStarted = at.getTime() <= useNow()
  return (
    <Link to={to} search={{ event: event.id }} className={classes.event}>
      <span className={classes.day} aria-hidden>
        <Text component="span" display="block" fw={650} size="lg" lh={1.1}>
          {day.format(at)}
        </Text>
        <Text component="span" display="block" size="xs">
          {month.format(at)}
        </Text>
      </span>
      <span>
        <bdi className={classes.title}>{title}</bdi>{' '}
        {published === 'true' ? null : (
          <Badge size="sm" variant="light" color="gray">
            Draft
          </Badge>
        )}{' '}
        {hasStarted ? (
          <Badge size="sm" variant="light">
            Live now
          </Badge>
        ) : null}
        <Text component="span" display="block" size="sm" c="dimmed">
          {eventType === 'event' ? '' : `${eventType[0]?.toUpperCase()}${eventType.slice(1)} · `}
          {time.format(at)}
          <RelativeTimeSuffix value={scheduledFor} />
        </Text>
      </span>
    </Link>
  )
}
