import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { HOUR_MS } from '@reeve/core'
import { formatRelativeTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { formatLongDateTime, formatTimeOfDay, formatTimeZone } from '../format-event-time.ts'
import { type EventValues, parseDateTimeInput } from './event-values.ts'
import { labels } from './field-labels.ts'

/** The latest accepted input; prevents years with five digits. */
const MAX_DATE_TIME = '9999-12-31T22:59'

interface Props {
  readonly form: UseFormReturnType<EventValues>
  readonly values: EventValues
}

/** The start of an event in the user's time zone, with the name of the zone. */
export function StartField({ form, values }: Props) {
  const now = useNow()
  const at = parseDateTimeInput(values.scheduledFor)
  const isValidTime = !Number.isNaN(at)
  return (
    <TextInput
      type="datetime-local"
      max={MAX_DATE_TIME}
      label={labels.scheduledFor}
      description={
        isValidTime
          ? `${formatLongDateTime(at)}, ${formatRelativeTime(at, now)}. In your time zone, ${formatTimeZone(at)}.`
          : `In your time zone, ${formatTimeZone(now)}.`
      }
      name="scheduledFor"
      key={form.key('scheduledFor')}
      {...form.getInputProps('scheduledFor')}
    />
  )
}

/** The end of an event, which can be on a later day. */
export function EndField({ form, values }: Props) {
  const endsAt = parseDateTimeInput(values.endsAt)
  const start = (values.eventType === 'training' && values.trainingStart) || values.scheduledFor
  return (
    <TextInput
      type="datetime-local"
      max={MAX_DATE_TIME}
      label={labels.endsAt}
      description={
        Number.isNaN(endsAt)
          ? `Default: after one hour${formatTimeSuffix(parseDateTimeInput(start) + HOUR_MS)}.`
          : `${formatLongDateTime(endsAt)}.`
      }
      name="endsAt"
      key={form.key('endsAt')}
      {...form.getInputProps('endsAt')}
    />
  )
}

/** The start of a training, if it is later or earlier than that of its event. */
export const TrainingStartField = ({ form, values }: Props) => (
  <TextInput
    type="datetime-local"
    max={MAX_DATE_TIME}
    label={labels.trainingStart}
    description={
      values.trainingStart === ''
        ? `Default: the start of the event${formatTimeSuffix(parseDateTimeInput(values.scheduledFor))}.`
        : undefined
    }
    name="trainingStart"
    key={form.key('trainingStart')}
    {...form.getInputProps('trainingStart')}
  />
)

const formatTimeSuffix = (at: number): string => (Number.isNaN(at) ? '' : `, ${formatTimeOfDay(at)}`)
