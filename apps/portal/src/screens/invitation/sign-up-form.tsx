import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { api, take } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { FrontForm, UsernameField } from '../../forms/front-form.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
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
    <FrontForm submit={submit} action={`Join ${groupName}`} mt="md">
      <UsernameField
        label={labels.username}
        description="What you sign in with, and what others here see"
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <NewPasswordField
        size="md"
        label={labels.password}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </FrontForm>
  )
}

/** The try before, whose answer was lost, may be what used the invitation up. */
const madeAlready = ({ status, code }: ApiError, username: string): ApiError =>
  new ApiError(
    status,
    code,
    `The invitation was used, most likely by your last try: sign in as ${username}, under “I have an account”.`,
  )
