import { TextInput } from '@mantine/core'
import { timeZone } from '../../../format/locale.ts'
import { useNow } from '../../../format/use-now.ts'
import { Choices } from '../choices.tsx'
import type { Restraint } from '../words.ts'
import { EXACT, forField, lengthOptions } from './length.ts'

const MINUTE = 60_000

interface Props {
  readonly kind: Restraint
  readonly choice: string
  readonly until: string
  readonly onChoice: (choice: string) => void
  readonly onUntil: (until: string) => void
  readonly choiceError: React.ReactNode
  readonly untilError: React.ReactNode
}

/** How long a ban or mute holds: one of the usual lengths, without end, or until a moment. */
export const LengthField = (props: Props) => {
  const { kind, choice, until, onChoice, onUntil, choiceError, untilError } = props
  return (
    <Choices
      label="How long"
      name="length"
      options={lengthOptions(kind)}
      value={choice}
      onChange={onChoice}
      error={choiceError}
    >
      {choice === EXACT ? (
        <MomentField label="Until" value={until} onChange={onUntil} error={untilError} />
      ) : null}
    </Choices>
  )
}

/** A moment in the future, in the reader's zone, which is named. */
export function MomentField(props: {
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
      description={`In your time zone, ${timeZone.replaceAll('_', ' ')}`}
      min={forField(now + MINUTE)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
