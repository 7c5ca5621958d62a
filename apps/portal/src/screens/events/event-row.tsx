import { Badge, Text, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useNow } from '../../format/use-now.ts'
import { type Event, ownPicture, type Phase, phaseOf, spanOf, typeWord } from './event-data.ts'
import { hoursWords } from './event-words.ts'
import classes from './events.module.css'

interface Props {
  readonly event: Event
  readonly open: (event: Event) => void
}

/** An event in a list of its day. */
export function EventRow({ event, open }: Props) {
  const phase = phaseOf(event, useNow())
  const picture = event.imageUrl === null ? null : ownPicture(event.imageUrl)
  const rest = [typeWord(event.eventType), event.trainingHost, event.experienceName].filter(Boolean)
  return (
    <UnstyledButton
      className={`${classes.mark} ${classes.row}`}
      data-kind={event.eventType}
      data-phase={phase}
      onClick={() => open(event)}
    >
      <span className={classes.stripe} aria-hidden />
      <span>
        <span className={classes.rowHead}>
          <bdi className={classes.rowTitle}>{event.title}</bdi>
          <PhaseBadge phase={phase} />
        </span>
        <Text component="span" display="block" size="sm" c="dimmed">
          {hoursWords(spanOf(event))}
          {rest.map((words, index) => (
            <span key={index}>
              {' · '}
              <bdi>{words}</bdi>
            </span>
          ))}
        </Text>
      </span>
      {picture === null ? <span /> : <img src={picture} alt="" className={classes.thumb} loading="lazy" />}
    </UnstyledButton>
  )
}

/** What an event is just now, where that is to be known: a draft, on now, or over. */
export function PhaseBadge({ phase, size = 'sm' }: { readonly phase: Phase; readonly size?: 'sm' | 'md' }) {
  if (phase === 'scheduled') return null
  if (phase === 'live')
    return (
      <Badge size={size} variant="light">
        On now
      </Badge>
    )
  if (phase === 'ended')
    return (
      <Badge size={size} variant="light" color="gray">
        Over
      </Badge>
    )
  return (
    <Badge size={size} variant="light" color="yellow" leftSection={<IconPencil size={11} aria-hidden />}>
      Draft
    </Badge>
  )
}
