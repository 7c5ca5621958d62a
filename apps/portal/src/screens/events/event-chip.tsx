import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPencil } from '@tabler/icons-react'
import { useNow } from '../../format/use-now.ts'
import type { Day } from './calendar.ts'
import { type Event, formatEventType, getEventDays, getPhase, getTimeSpan } from './event-data.ts'
import classes from './events.module.css'
import { formatTimeOnDay, formatWeekdayTime } from './format-event-time.ts'

interface Props {
  readonly event: Event
  /** The day that the chip is on, which is one of the days of the event. */
  readonly day: Day
  readonly open: (event: Event) => void
}

/** A compact event: time and title. A draft has a border and a pencil icon; arrows show that it began earlier or continues. */
export function EventChip({ event, day, open }: Props) {
  const phase = getPhase(event, useNow())
  const { first, last } = getEventDays(event)
  const isContinued = first < day
  const continues = day < last
  return (
    <UnstyledButton
      className={`${classes.eventColor} ${classes.chip}`}
      data-event-type={event.eventType}
      data-phase={phase}
      data-is-continued={isContinued || undefined}
      data-continues={continues || undefined}
      title={event.title}
      onClick={() => open(event)}
    >
      {isContinued ? <IconChevronLeft size={12} data-continuation aria-hidden /> : null}
      {phase === 'draft' ? <IconPencil size={12} aria-hidden /> : null}
      <span className={classes.chipTime}>{formatTimeOnDay(getTimeSpan(event), day)}</span>
      <bdi className={classes.chipTitle}>{event.title}</bdi>
      <VisuallyHidden>
        {formatEventType(event.eventType)}
        {phase === 'draft' ? ', draft' : ''}
        {isContinued ? `, since ${formatWeekdayTime(event.scheduledFor)}` : ''}
        {continues ? `, until ${formatWeekdayTime(event.endsAt)}` : ''}
      </VisuallyHidden>
      {continues ? (
        <IconChevronRight size={12} className={classes.continues} data-continuation aria-hidden />
      ) : null}
    </UnstyledButton>
  )
}
