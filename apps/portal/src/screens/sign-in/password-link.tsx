import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { getErrorMessage } from '../../api/error.ts'
import { sendsMail } from '../../api/mail.ts'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
import { useSubmit } from '../../forms/use-submit.ts'

const TITLE = 'Set a new password'

/** Sets a password with a link from an operator or an e-mail. The token is the fragment of the URL. */
export function PasswordLinkScreen() {
  const token = useLocation().hash
  return token === '' ? (
    <InvalidLink message="This link is incomplete: the part after the # is missing." />
  ) : (
    <PasswordLinkContent key={token} token={token} />
  )
}

function PasswordLinkContent({ token }: { readonly token: string }) {
  const query = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => unwrap(api.POST('/portal/api/password-link', { body: { token } })),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (query.isError)
    return <InvalidLink message={getErrorMessage(query.error)} retry={() => void query.refetch()} />
  if (!query.data) {
    return (
      <AuthLayout title={TITLE}>
        <Stack gap="md" mt="lg" aria-busy="true">
          <Skeleton h={20} />
          <Skeleton h={42} />
        </Stack>
      </AuthLayout>
    )
  }
  const { username } = query.data
  return (
    <AuthLayout
      title={TITLE}
      description={`For the account ${username}. You will be signed out everywhere else.`}
    >
      <PasswordForm token={token} username={username} />
    </AuthLayout>
  )
}

const labels = { password: 'New password' }

function PasswordForm({ token, username }: { readonly token: string; readonly username: string }) {
  const navigate = useNavigate()
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const submit = useSubmit(form, labels, async ({ password }) => {
    const body = { token, password }
    const { account } = await unwrap(api.POST('/portal/api/password-link/password', { body }))
    queryClient.clear()
    if (account) {
      announceSignIn(account.id)
      await navigate({ to: '/', replace: true })
    } else {
      // The account has a second factor, which the sign-in asks for.
      await navigate({ to: '/sign-in', search: { note: 'password-set' }, replace: true })
    }
  })
  return (
    <AuthForm submit={submit} submitLabel="Set password" mt="md">
      {/* So that password managers store the password for the right account. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <NewPasswordField
        size="md"
        label={labels.password}
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </AuthForm>
  )
}

/** A used, expired, replaced or unknown link; the server does not reveal which. */
const InvalidLink = ({ message, retry }: { readonly message: string; readonly retry?: () => void }) => (
  <AuthLayout title="This link does not work" description={message}>
    <Stack gap="sm" mt="lg">
      <Text size="sm">
        {sendsMail ? 'You can have a new one sent to you on the sign-in page. ' : ''}An operator of this
        instance can create one, under Administration, Accounts.
      </Text>
      {retry ? (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      ) : null}
      <Anchor href="/sign-in">Sign in</Anchor>
    </Stack>
  </AuthLayout>
)
