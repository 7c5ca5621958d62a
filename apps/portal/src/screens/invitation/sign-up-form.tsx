import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
import { UsernameField } from '../../forms/text-fields.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { useRedirectToWorkspace } from './use-redirect.ts'

const labels = { username: 'Username', password: 'Password' }

/** Creates an account that is a member of the workspace. */
export function SignUpForm({ token, groupName }: { readonly token: string; readonly groupName: string }) {
  const redirectToWorkspace = useRedirectToWorkspace()
  /** Whether a response was lost: the account may have been created anyway. */
  const lostResponse = useRef(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { username: '', password: '' } })
  const submit = useSubmit(form, labels, async (values) => {
    try {
      const body = { token, ...values }
      const { account, workspace } = await unwrap(api.POST('/portal/api/invitation/sign-up', { body }))
      announceSignIn(account.id)
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
        description="Used to sign in and visible to other members"
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

/** After a lost response, the previous attempt has probably used the invitation. */
const createAlreadyUsedError = ({ status, code }: ApiError, username: string): ApiError =>
  new ApiError(
    status,
    code,
    `The invitation has been used, most likely by your previous attempt. Sign in as ${username} under “I have an account”.`,
  )
