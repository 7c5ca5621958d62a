import { Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { PASSWORD_MAX, PASSWORD_MIN } from '@reeve/core'
import { useRef } from 'react'
import { api, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { FormAlert } from '../../components/form-alert.tsx'
import { PasswordField } from '../../forms/password-field.tsx'
import { plainText } from '../../forms/plain-text.ts'
import { useSubmit } from '../../forms/use-submit.ts'
import { useArrival } from './use-arrival.ts'

const labels = { username: 'Username', password: 'Password' }

/** Makes an account that is a member from the first moment on. */
export function SignUpForm({ token, groupName }: { readonly token: string; readonly groupName: string }) {
  const arrive = useArrival()
  /** Whether an answer was lost: then the account may have been made all the same. */
  const wasLost = useRef(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const body = { token, ...values }
      const { workspace } = await take(api.POST('/portal/api/invitation/sign-up', { body }))
      await arrive(workspace)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (wasLost.current && error.status === 404) throw madeAlready(error, values.username)
      wasLost.current ||= error.isPassing
      throw error
    }
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack gap="md" mt="md">
        <TextInput
          {...plainText}
          size="md"
          label={labels.username}
          description="What you sign in with, and what others here see"
          name="username"
          autoComplete="username"
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <PasswordField
          {...plainText}
          size="md"
          label={labels.password}
          description={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters, and not a common one`}
          name="password"
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" fullWidth loading={submit.isBusy} mt="xs">
          Join {groupName}
        </Button>
        <FormAlert>{submit.alert}</FormAlert>
      </Stack>
    </form>
  )
}

/** The try before, whose answer was lost, may be what used the invitation up. */
const madeAlready = ({ status, code }: ApiError, username: string): ApiError =>
  new ApiError(
    status,
    code,
    `The invitation was used, most likely by your last try: sign in as ${username}, under “I have an account”.`,
  )
