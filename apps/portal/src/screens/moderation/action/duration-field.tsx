import { TextInput } from '@mantine/core'
import { MINUTE_MS, type SanctionKind } from '@reeve/core'
import { timeZoneName } from '../../../format/locale.ts'
import { useNow } from '../../../format/use-now.ts'
import { RadioButtons } from '../radio-buttons.tsx'
import { recordFields } from '../record-fields.tsx'
import { durationOptions, toDateTimeLocal, UNTIL_DATE } from './duration.ts'

interface Props {
  readonly kind: SanctionKind
  readonly choice: string
  /** A duration to offer besides the common ones; null for none. */
  readonly extraSeconds: number | null
  readonly until: string
  readonly onChoice: (choice: string) => void
  readonly onUntil: (until: string) => void
  readonly choiceError: React.ReactNode
  readonly untilError: React.ReactNode
}

/** The duration of a ban or mute: a preset, permanent, or until a date. */
export const DurationField = (props: Props) => {
  const { kind, choice, extraSeconds, until, onChoice, onUntil, choiceError, untilError } = props
  return (
    <RadioButtons
      label={recordFields.durationSeconds.label}
      name="duration"
      options={durationOptions(kind, extraSeconds)}
      value={choice}
      onChange={onChoice}
      error={choiceError}
    >
      {choice === UNTIL_DATE ? (
        <DateTimeField label="Until" value={until} onChange={onUntil} error={untilError} />
      ) : null}
    </RadioButtons>
  )
}

/** A date and time in the future, in the user's time zone. */
export function DateTimeField(props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: React.ReactNode
}) {
  const { label, value, onChange, error } = props
  const now = useNow()
  return (
    <TextInput
      type="datetime-local"
      mt="xs"
      label={label}
      description={`In your time zone, ${timeZoneName}`}
      min={toDateTimeLocal(now + MINUTE_MS)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
