import { Group, TextInput, type TextInputProps, UnstyledButton } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import classes from './color-field.module.css'

/** Distinguishable in light and dark mode. */
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
  ['Gray', '#7d8690'],
] as const

const FALLBACK_COLOR = '#7d8690'

interface Props {
  readonly label: string
  readonly name: string
  readonly value?: string
  readonly defaultValue?: string
  readonly onChange?: (value: string) => void
  readonly error?: TextInputProps['error']
}

/** A color input: a preset, any other color, or none. */
export function ColorField({ label, name, value, defaultValue, onChange, error }: Props) {
  const [color, setColor] = useUncontrolled({
    ...(value === undefined ? {} : { value }),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...(onChange === undefined ? {} : { onChange }),
    finalValue: '',
  })
  const isValidHex = /^#[0-9a-f]{6}$/i.test(color)
  return (
    <div>
      <TextInput
        label={label}
        name={name}
        placeholder="None"
        autoComplete="off"
        spellCheck={false}
        value={color}
        onChange={(event) => setColor(event.currentTarget.value)}
        error={error}
        leftSection={
          <input
            type="color"
            className={classes.picker}
            aria-label={`${label}: custom`}
            value={isValidHex ? color : FALLBACK_COLOR}
            data-is-set={isValidHex || undefined}
            onChange={(event) => setColor(event.currentTarget.value)}
          />
        }
      />
      <Group gap={2} mt={6} role="group" aria-label={`${label}: suggestions`}>
        {presets.map(([presetName, hex]) => (
          <UnstyledButton
            key={hex}
            className={classes.preset}
            aria-label={presetName}
            title={presetName}
            aria-pressed={color.toLowerCase() === hex}
            onClick={() => setColor(hex)}
          >
            <span className={classes.swatch} style={{ backgroundColor: hex }} />
          </UnstyledButton>
        ))}
        <UnstyledButton className={classes.preset} aria-pressed={color === ''} onClick={() => setColor('')}>
          <span className={classes.none}>None</span>
        </UnstyledButton>
      </Group>
    </div>
  )
}
