import { Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { relativeTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { momentWords, timeWords, zoneWords } from '../event-words.ts'
import { momentOfField } from './field-time.ts'
import classes from './form.module.css'
import { labels } from './labels.ts'
import type { EventValues } from './values.ts'

const HOUR = 3_600_000
/** The last that a field takes, so that nobody types a year of five digits. */
const LAST = '9999-12-31T22:59'

interface Props {
  readonly form: UseFormReturnType<EventValues>
  readonly values: EventValues
}

/** When an event begins, in the reader's zone, which is named. */
export function BeginsField({ form, values }: Props) {
  const now = useNow()
  const at = momentOfField(values.scheduledFor)
  const isTime = !Number.isNaN(at)
  return (
    <TextInput
      type="datetime-local"
      max={LAST}
      label={labels.scheduledFor}
      description={
        isTime
          ? `${momentWords(at)}, ${relativeTime(at, now)}. In your time zone, ${zoneWords(at)}.`
          : `In your time zone, ${zoneWords(now)}.`
      }
      name="scheduledFor"
      key={form.key('scheduledFor')}
      {...form.getInputProps('scheduledFor')}
    />
  )
}

/** What only a training has. */
export function TrainingFields({ form, values }: Props) {
  const begins = momentOfField(values.scheduledFor)
  const starts = momentOfField(values.trainingStart || values.scheduledFor)
  const word = (at: number) => (Number.isNaN(at) ? '' : `, ${timeWords(at)}`)
  return (
    <fieldset className={classes.group}>
      <legend>Training</legend>
      <Stack gap="sm">
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          <TextInput
            type="datetime-local"
            max={LAST}
            label={labels.trainingStart}
            description={values.trainingStart === '' ? `Empty: as it begins${word(begins)}.` : undefined}
            name="trainingStart"
            key={form.key('trainingStart')}
            {...form.getInputProps('trainingStart')}
          />
          <TextInput
            type="datetime-local"
            max={LAST}
            label={labels.trainingEnd}
            description={
              values.trainingEnd === '' ? `Empty: after an hour${word(starts + HOUR)}.` : undefined
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
