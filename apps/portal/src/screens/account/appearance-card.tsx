import {
  Input,
  type MantineColorScheme,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core'
import { useId } from 'react'
import { type Preferences, setPreferences, usePreferences } from '../../app/preferences.ts'
import { Card } from '../../components/card.tsx'
import { SingleKeySwitch } from '../../components/single-key-switch.tsx'
import { formatDateTime, formatRelativeTime } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'

const EXAMPLE_AGE_MS = 2 * 60 * 60 * 1000

const colorSchemes: readonly Option<MantineColorScheme>[] = [
  { value: 'auto', label: 'Same as device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const densities: readonly Option<Preferences['density']>[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
]

/** How the portal looks and behaves on this device. */
export function AppearanceCard() {
  const { times, density } = usePreferences()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const now = useNow()
  const example = now - EXAMPLE_AGE_MS
  return (
    <Card title="Appearance">
      <Stack gap="md" maw={400}>
        <Text size="sm" c="dimmed">
          These settings apply to this device.
        </Text>
        <Choice label="Color scheme" options={colorSchemes} value={colorScheme} onChange={setColorScheme} />
        <Choice
          label="Times"
          description="With a mouse, point at a time to see the other form."
          options={[
            { value: 'relative', label: formatRelativeTime(example, now) },
            { value: 'absolute', label: formatDateTime(example) },
          ]}
          value={times}
          onChange={(value) => setPreferences({ times: value })}
        />
        <Choice
          label="Lists and tables"
          options={densities}
          value={density}
          onChange={(value) => setPreferences({ density: value })}
        />
        <SingleKeySwitch />
      </Stack>
    </Card>
  )
}

interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly description?: string
  readonly options: readonly Option<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, description, options, value, onChange }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} description={description}>
      <SegmentedControl
        aria-labelledby={id}
        data={options.map((option) => ({ ...option }))}
        value={value}
        onChange={(chosen) => onChange(chosen as Value)}
        fullWidth
        mt={4}
      />
    </Input.Wrapper>
  )
}
