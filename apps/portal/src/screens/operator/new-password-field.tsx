import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { PASSWORD_MAX, PASSWORD_MIN } from '@reeve/core'
import { Copy } from '../../components/copy-field.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { suggestedPassword } from './suggested-password.ts'

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
export function NewPasswordField({ label, input: { value = '', error, onChange } }: Props) {
  const [isVisible, { open, toggle }] = useDisclosure(false)
  const suggest = () => {
    onChange(suggestedPassword())
    open()
  }
  return (
    <Stack gap="xs">
      <PasswordField
        label={label}
        description={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters, and not a common one`}
        name="password"
        autoComplete="new-password"
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
        {value === '' ? null : <Copy value={value} label={label} />}
        <Text size="xs" c="dimmed">
          Hand it over yourself: it is not shown again.
        </Text>
      </Group>
    </Stack>
  )
}
