import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField, UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useRedirectToWorkspace } from './use-redirect.ts'

const labels = { username: 'Username', password: 'Password' }

/** Makes an account that is a member from the first moment on. */
export function SignUpForm({ token, groupName }: { readonly token: string; readonly groupName: string }) {
  const redirectToWorkspace = useRedirectToWorkspace()
  /** Whether an answer was lost: then the account may have been made all the same. */
  const lostResponse = useRef(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const body = { token, ...values }
      const { workspace } = await unwrap(api.POST('/portal/api/invitation/sign-up', { body }))
      await redirectToWorkspace(workspace)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (lostResponse.current && error.status === 404) throw createAlreadyUsedError(error, values.username)
      lostResponse.current ||= error.isRetryable
      throw error
    }
  })
  return (
    <AuthForm submit={submit} submitLabel={`Join ${groupName}`} mt="md">
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
    </AuthForm>
  )
}

/** The try before, whose answer was lost, may be what used the invitation up. */
const createAlreadyUsedError = ({ status, code }: ApiError, username: string): ApiError =>
  new ApiError(
    status,
    code,
    `The invitation was used, most likely by your last try: sign in as ${username}, under “I have an account”.`,
  )
