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

/** An event in a small place: when, and what. A draft is told by its frame and a pencil. */
export function EventChip({ event, open }: Props) {
  const phase = getPhase(event, useNow())
  return (
    <UnstyledButton
      className={`${classes.mark} ${classes.chip}`}
      data-kind={event.eventType}
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
