import { useForm } from '@mantine/form'
import { api, take } from '../../api/client.ts'
import { FrontForm, UsernameField } from '../../forms/front-form.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const labels = { username: 'Username', password: 'Password' }

interface Props {
  /** Filled in already where it is known who was here. */
  readonly username?: string
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
}

/** The form that begins a session. */
export function SignInForm({ username = '', onDone }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { username, password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    const { account } = await take(api.POST('/portal/api/sign-in', { body: values }))
    await onDone(account.id)
  })
  return (
    <FrontForm submit={submit} action="Sign in">
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
    </FrontForm>
  )
}
