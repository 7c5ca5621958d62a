import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CopyTextButton } from '../../components/copy-field.tsx'
import { NewPasswordField } from '../../forms/text-fields.tsx'
import { generatePassword } from './generate-password.ts'

interface Props {
  readonly label: string
  /** What the form says of the field. */
  readonly input: {
    readonly value?: string
    readonly error?: React.ReactNode
    readonly onChange: (value: string) => void
  }
}

/** A password for somebody else: typed, or suggested and then shown, as it has to be handed over. */
export function IssuedPasswordField({ label, input: { value = '', error, onChange } }: Props) {
  const [isVisible, { open, toggle }] = useDisclosure(false)
  const suggest = () => {
    onChange(generatePassword())
    open()
  }
  return (
    <Stack gap="xs">
      <NewPasswordField
        label={label}
        visible={isVisible}
        onVisibilityChange={toggle}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={suggest}>
          Suggest one
        </Button>
        {value === '' ? null : <CopyTextButton value={value} label={label} />}
        <Text size="xs" c="dimmed">
          Hand it over yourself: it is not shown again.
        </Text>
      </Group>
    </Stack>
  )
}
