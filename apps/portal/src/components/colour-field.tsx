import { Group, TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import classes from './colour-field.module.css'

/** Told apart well in light and dark, each by a name. */
const presets = [
  ['Red', '#d6453a'],
  ['Orange', '#e07b21'],
  ['Yellow', '#d9a514'],
  ['Green', '#3f9b4f'],
  ['Teal', '#1f9c93'],
  ['Blue', '#2f7de1'],
  ['Indigo', '#5a5fd6'],
  ['Purple', '#9a4fc9'],
  ['Pink', '#d94f92'],
  ['Grey', '#7d8690'],
] as const

const FALLBACK = '#7d8690'

interface Props {
  readonly label: string
  readonly name: string
  readonly value?: string
  readonly defaultValue?: string
  readonly onChange?: (value: string) => void
  readonly error?: TextInputProps['error']
}

/** A colour: one of those that go well together, any other, or none. */
export function ColourField({ label, name, value, defaultValue, onChange, error }: Props) {
  const [colour, setColour] = useUncontrolled({
    ...(value === undefined ? {} : { value }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(onChange === undefined ? {} : { onChange }),
    finalValue: '',
  })
  const isWhole = /^#[0-9a-f]{6}$/i.test(colour)
  return (
    <div>
      <TextInput
        label={label}
        name={name}
        placeholder="None"
        autoComplete="off"
        spellCheck={false}
        value={colour}
        onChange={(event) => setColour(event.currentTarget.value)}
        error={error}
        leftSection={
          <input
            type="color"
            className={classes.picker}
            aria-label={`${label}: any other`}
            value={isWhole ? colour : FALLBACK}
            data-is-set={isWhole || undefined}
            onChange={(event) => setColour(event.currentTarget.value)}
          />
        }
      />
      <Group gap={2} mt={6} role="group" aria-label={`${label}: suggestions`}>
        {presets.map(([word, hex]) => (
          <UnstyledButton
            key={hex}
            className={classes.preset}
            aria-label={word}
            title={word}
            aria-pressed={colour.toLowerCase() === hex}
            onClick={() => setColour(hex)}
          >
            <span className={classes.swatch} style={{ backgroundColor: hex }} />
          </UnstyledButton>
        ))}
        <UnstyledButton className={classes.preset} aria-pressed={colour === ''} onClick={() => setColour('')}>
          <span className={classes.none}>None</span>
        </UnstyledButton>
      </Group>
    </div>
  )
}
