import { Anchor, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { PASSWORD_LINK_MINUTES } from '@reeve/core'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const labels = { login: 'Username or e-mail address' }

interface Props {
  readonly username: string
  /** Returns to the password. */
  readonly back: () => void
}

/** Has a link to set a new password sent. Whether there is such an account is not revealed. */
export function PasswordResetStep({ username, back }: Props) {
  const [login, setLogin] = useState('')
  const form = useForm({ mode: 'uncontrolled', initialValues: { login: username } })
  const submit = useSubmit(form, labels, async (values) => {
    await unwrap(api.POST('/portal/api/password-reset', { body: values }))
    setLogin(values.login)
  })
  return (
    <Stack gap="md">
      {login === '' ? (
        <>
          <Text size="sm" c="dimmed" mt="lg">
            If your account has an e-mail address, you get a link to set a new password.
          </Text>
          <AuthForm submit={submit} submitLabel="Send link" mt="md">
            <UsernameField
              label={labels.login}
              name="login"
              autoFocus
              key={form.key('login')}
              {...form.getInputProps('login')}
            />
          </AuthForm>
        </>
      ) : (
        <Stack gap="xs" mt="lg" role="status">
          <Text>
            If <bdi>{login}</bdi> has an account with an e-mail address, a link is on its way.
          </Text>
          <Text size="sm" c="dimmed">
            It works for {PASSWORD_LINK_MINUTES} minutes. Nothing arrived? Look into the spam folder, or ask
            an operator of this instance for a link.
          </Text>
        </Stack>
      )}
      <Anchor component="button" type="button" size="sm" ta="start" onClick={back}>
        Back to sign in
      </Anchor>
    </Stack>
  )
}
