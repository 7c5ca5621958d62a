import { Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { HOUR_MS } from '@reeve/core'
import { formatRelativeTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { formatLongDateTime, formatTimeOfDay, formatTimeZone } from '../format-event-time.ts'
import { type EventValues, parseDateTimeInput } from './event-values.ts'
import { labels } from './field-labels.ts'
import classes from './form.module.css'

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

/** The fields that only trainings have. */
export function TrainingFields({ form, values }: Props) {
  const eventStartsAt = parseDateTimeInput(values.scheduledFor)
  const trainingStartsAt = parseDateTimeInput(values.trainingStart || values.scheduledFor)
  const formatTimeSuffix = (at: number) => (Number.isNaN(at) ? '' : `, ${formatTimeOfDay(at)}`)
  return (
    <fieldset className={classes.group}>
      <legend>Training</legend>
      <Stack gap="sm">
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          <TextInput
            type="datetime-local"
            max={MAX_DATE_TIME}
            label={labels.trainingStart}
            description={
              values.trainingStart === ''
                ? `Default: the start of the event${formatTimeSuffix(eventStartsAt)}.`
                : undefined
            }
            name="trainingStart"
            key={form.key('trainingStart')}
            {...form.getInputProps('trainingStart')}
          />
          <TextInput
            type="datetime-local"
            max={MAX_DATE_TIME}
            label={labels.trainingEnd}
            description={
              values.trainingEnd === ''
                ? `Default: after one hour${formatTimeSuffix(trainingStartsAt + HOUR_MS)}.`
                : undefined
            }
            name="trainingEnd"
            key={form.key('trainingEnd')}
            {...form.getInputProps('trainingEnd')}
          />
        </Group>
        <TextInput
          label={labels.trainingHost}
          name="trainingHost"
          autoComplete="off"
          maxLength={100}
          key={form.key('trainingHost')}
          {...form.getInputProps('trainingHost')}
        />
      </Stack>
    </fieldset>
  )
}
