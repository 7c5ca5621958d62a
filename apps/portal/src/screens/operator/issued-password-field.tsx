import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { CopyTextButton } from '../../components/copy-field.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
import { generatePassword } from './generate-password.ts'

interface Props {
  readonly label: string
  /** The input props from the form. */
  readonly input: {
    readonly value?: string
    readonly error?: React.ReactNode
    readonly onChange: (value: string) => void
  }
}

/** A password set for someone else: typed, or generated and then shown, so that it can be passed on. */
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
          Generate password
        </Button>
        {value === '' ? null : <CopyTextButton value={value} label={label} />}
        <Text size="xs" c="dimmed">
          Copy it and pass it on: it will not be shown again.
        </Text>
      </Group>
    </Stack>
  )
}
