import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { getErrorMessage } from '../../api/error.ts'
import { sendsMail } from '../../api/mail.ts'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { AuthForm } from '../../forms/auth-form.tsx'
import { NewPasswordField } from '../../forms/password-field.tsx'
import { useSubmit } from '../../forms/use-submit.ts'
import { type PendingSignIn, SecondFactorStep } from './second-factor-step.tsx'

const TITLE = 'Set a new password'

/** Sets a password with a link from an operator or an e-mail. The token is the fragment of the URL. */
export function PasswordLinkScreen() {
  const token = useLocation().hash
  return token === '' ? (
    <InvalidLink message="This link is incomplete: the part after the # is missing." />
  ) : (
    <PasswordLinkSteps key={token} token={token} />
  )
}

/** The new password, and then the second factor of an account that has one. */
function PasswordLinkSteps({ token }: { readonly token: string }) {
  const [pending, setPending] = useState<PendingSignIn | null>(null)
  const navigate = useNavigate()
  const onDone = async (accountId: string) => {
    announceSignIn(accountId)
    queryClient.clear()
    await navigate({ to: '/', replace: true })
  }
  if (pending === null) return <PasswordLinkContent token={token} onDone={onDone} onPending={setPending} />
  return (
    <AuthLayout title="Sign in" description="Your new password is set. Confirm that it is you.">
      <SecondFactorStep
        pending={pending}
        onDone={onDone}
        startAgain={(message) => {
          queryClient.clear()
          const search = message === '' ? {} : { note: 'password-set' }
          void navigate({ to: '/sign-in', search, replace: true })
        }}
      />
    </AuthLayout>
  )
}

interface ContentProps {
  readonly token: string
  /** Called with the id of the account that signed in. */
  readonly onDone: (accountId: string) => Promise<void>
  readonly onPending: (pending: PendingSignIn) => void
}

function PasswordLinkContent({ token, ...next }: ContentProps) {
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
      <PasswordForm token={token} username={username} {...next} />
    </AuthLayout>
  )
}

const labels = { password: 'New password' }

function PasswordForm({ token, username, onDone, onPending }: ContentProps & { readonly username: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const submit = useSubmit(form, labels, async ({ password }) => {
    const body = { token, password }
    const { account, secondFactor } = await unwrap(api.POST('/portal/api/password-link/password', { body }))
    if (account) await onDone(account.id)
    else if (secondFactor) onPending(secondFactor)
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
        instance can create one, under This instance, Accounts.
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
