import { Group, Stack, Text } from '@mantine/core'
import { IconCalendarOff, IconClock, IconSchool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { hasErrorCode } from '../../api/error.ts'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { formatRelativeTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { toDay } from './calendar.ts'
import classes from './details.module.css'
import { EventActions } from './event-actions.tsx'
import { type Event, eventQuery, formatEventType, getPhase, getTimeSpan } from './event-data.ts'
import { EventImage } from './event-image.tsx'
import { PhaseBadge } from './event-row.tsx'
import { ExperienceCard, hasExperience } from './experience-card.tsx'
import { formatDateTimeRange, formatTimeRange, formatTimeZone } from './format-event-time.ts'

interface Props {
  readonly workspaceId: string
  /** The id of the event; null while the dialog is closed. */
  readonly id: string | null
  readonly close: () => void
  readonly edit: (event: Event) => void
  readonly duplicate: (event: Event) => void
}

/** An event with its details and actions. */
export function EventDialog({ workspaceId, id, close, edit, duplicate }: Props) {
  const { data, error, refetch } = useQuery({ ...eventQuery(workspaceId, id ?? ''), enabled: id !== null })
  const isNotFound = hasErrorCode(error, 'not_found')
  return (
    <Dialog
      opened={id !== null}
      onClose={close}
      size="lg"
      title={<bdi>{isNotFound || !data ? 'Event' : data.title}</bdi>}
    >
      {isNotFound ? (
        <EmptyState icon={IconCalendarOff} title="Event not found">
          It may have been deleted, or it is a draft that you do not have permission to see.
        </EmptyState>
      ) : data ? (
        <Stack gap="md">
          <Details event={data} />
          <EventActions event={data} close={close} edit={edit} duplicate={duplicate} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} />
      )}
    </Dialog>
  )
}

function Details({ event }: { readonly event: Event }) {
  const now = useNow()
  const { eventType, scheduledFor, description, imageUrl } = event
  return (
    <>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {formatEventType(eventType)}
        </Text>
        <PhaseBadge phase={getPhase(event, now)} size="md" />
      </Group>
      {imageUrl === null ? null : <EventImage url={imageUrl} />}
      <div className={classes.time}>
        <IconClock size={20} stroke={1.7} aria-hidden />
        <div>
          <Text fw={550}>{formatDateTimeRange(getTimeSpan(event))}</Text>
          <Text size="sm" c="dimmed">
            {formatRelativeTime(scheduledFor, now)} · in your time zone, {formatTimeZone(scheduledFor)}
          </Text>
        </div>
      </div>
      <TrainingDetails event={event} />
      {description === null ? null : (
        <Text component="bdi" display="block" className={classes.description ?? ''}>
          {description}
        </Text>
      )}
      {hasExperience(event) ? <ExperienceCard experience={event} /> : null}
    </>
  )
}

/** Training host and times; empty if the event has neither. */
function TrainingDetails({ event }: { readonly event: Event }) {
  const { scheduledFor, trainingStart, trainingHost, endsAt } = event
  const start = Date.parse(trainingStart ?? scheduledFor)
  const hasOwnStart = start !== Date.parse(scheduledFor)
  if (!hasOwnStart && trainingHost === null) return null
  const span = { start, end: Date.parse(endsAt) }
  return (
    <div className={classes.time}>
      <IconSchool size={20} stroke={1.7} aria-hidden />
      <div>
        {trainingHost === null ? null : (
          <Text>
            Host: <bdi>{trainingHost}</bdi>
          </Text>
        )}
        {hasOwnStart ? (
          <Text size="sm" c="dimmed">
            Training time:{' '}
            {toDay(start) === toDay(scheduledFor) ? formatTimeRange(span) : formatDateTimeRange(span)}
          </Text>
        ) : null}
      </div>
    </div>
  )
}
