import { Badge, Text, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useNow } from '../../format/use-now.ts'
import type { Day } from './calendar.ts'
import {
  type Event,
  formatEventType,
  getPhase,
  getTimeSpan,
  type Phase,
  toLocalImagePath,
} from './event-data.ts'
import classes from './events.module.css'
import { formatTimesOnDay } from './format-event-time.ts'

interface Props {
  readonly event: Event
  /** The day of the list, which is one of the days of the event. */
  readonly day: Day
  readonly open: (event: Event) => void
}

/** An event in a day's list. */
export function EventRow({ event, day, open }: Props) {
  const phase = getPhase(event, useNow())
  const imagePath = event.imageUrl === null ? null : toLocalImagePath(event.imageUrl)
  const details = [formatEventType(event.eventType), event.trainingHost, event.experienceName].filter(Boolean)
  return (
    <UnstyledButton
      className={`${classes.eventColor} ${classes.row}`}
      data-event-type={event.eventType}
      data-phase={phase}
      onClick={() => open(event)}
    >
      <span className={classes.stripe} aria-hidden />
      <span>
        <span className={classes.rowHeader}>
          <bdi className={classes.rowTitle}>{event.title}</bdi>
          <PhaseBadge phase={phase} />
        </span>
        <Text component="span" display="block" size="sm" c="dimmed">
          {formatTimesOnDay(getTimeSpan(event), day)}
          {details.map((detail, index) => (
            <span key={index}>
              {' · '}
              <bdi>{detail}</bdi>
            </span>
          ))}
        </Text>
      </span>
      {imagePath === null ? (
        <span />
      ) : (
        <img src={imagePath} alt="" className={classes.thumb} loading="lazy" />
      )}
    </UnstyledButton>
  )
}

/** A badge for drafts, current and past events; none for scheduled ones. */
export function PhaseBadge({ phase, size = 'sm' }: { readonly phase: Phase; readonly size?: 'sm' | 'md' }) {
  if (phase === 'scheduled') return null
  if (phase === 'live')
    return (
      <Badge size={size} variant="light">
        Live now
      </Badge>
    )
  if (phase === 'ended')
    return (
      <Badge size={size} variant="light" color="gray">
        Ended
      </Badge>
    )
  return (
    <Badge size={size} variant="light" color="yellow" leftSection={<IconPencil size={11} aria-hidden />}>
      Draft
    </Badge>
  )
}
