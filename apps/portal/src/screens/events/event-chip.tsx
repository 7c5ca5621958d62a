import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useNow } from '../../format/use-now.ts'
import { type Event, formatEventType, getPhase } from './event-data.ts'
import classes from './events.module.css'
import { formatTimeOfDay } from './format-event-time.ts'

interface Props {
  readonly event: Event
  readonly open: (event: Event) => void
}

/** A compact event: time and title. A draft has a border and a pencil icon. */
export function EventChip({ event, open }: Props) {
  const phase = getPhase(event, useNow())
  return (
    <UnstyledButton
      className={`${classes.eventColor} ${classes.chip}`}
      data-event-type={event.eventType}
      data-phase={phase}
      title={event.title}
      onClick={() => open(event)}
    >
      {phase === 'draft' ? <IconPencil size={12} aria-hidden /> : null}
      <span className={classes.chipTime}>{formatTimeOfDay(event.scheduledFor)}</span>
      <bdi className={classes.chipTitle}>{event.title}</bdi>
      <VisuallyHidden>
        {formatEventType(event.eventType)}
        {phase === 'draft' ? ', draft' : ''}
      </VisuallyHidden>
    </UnstyledButton>
  )
}
