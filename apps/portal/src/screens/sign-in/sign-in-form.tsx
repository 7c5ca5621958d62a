import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api, unwrap } from '../../api/client.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const labels = { username: 'Username', password: 'Password' }

interface Props {
  /** Prefilled if the previous user is known. */
  readonly username?: string
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
}

/** The sign-in form. */
export function SignInForm({ username = '', onDone }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { username, password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    const { account } = await unwrap(api.POST('/portal/api/sign-in', { body: values }))
    await onDone(account.id)
  })
  return (
    <>
      <AuthForm submit={submit} submitLabel="Sign in">
        <UsernameField
          label={labels.username}
          autoFocus={username === ''}
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          size="md"
          label={labels.password}
          name="password"
          autoComplete="current-password"
          autoFocus={username !== ''}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      </AuthForm>
      <Text size="sm" c="dimmed" mt="md">
        Forgot your password? An operator of this instance can set a new one for you.
      </Text>
    </>
  )
}
