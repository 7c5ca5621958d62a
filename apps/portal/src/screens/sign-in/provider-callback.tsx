import { Anchor, Button, Loader, Stack, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage } from '../../api/error.ts'
import { type ProviderReturn, providers, takeReturn } from '../../api/providers.ts'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { announceVerification } from '../../api/verification.ts'
import { toInternalPath } from '../../app/search-params.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { ProviderSignUpForm, type SignUpOffer } from './provider-sign-up-form.tsx'
import { type PendingSignIn, SecondFactorStep } from './second-factor-step.tsx'

/** What the server makes of the response of the provider. */
type Callback = Awaited<ReturnType<typeof finishSignIn>>

const finishSignIn = (provider: string, parameters: string, invitation: string | undefined) =>
  unwrap(
    api.POST('/portal/api/sign-in/callback', {
      body: { provider, parameters, ...(invitation === undefined ? {} : { invitation }) },
    }),
  )

/** A response works once, so it is sent once, however often the screen is rendered. */
let sent: Promise<Callback> | null = null

type State =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done'; readonly title: string }
  | { readonly kind: 'sign-up'; readonly offer: SignUpOffer }
  | { readonly kind: 'second-factor'; readonly pending: PendingSignIn }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Finishes a sign-in, or linking an account, after an identity provider has sent the browser back. */
export function ProviderCallback() {
  const { provider = '' } = useParams({ strict: false }) as { provider?: string }
  const name = providers.find(({ id }) => id === provider)?.name ?? provider
  const [onReturn] = useState(() => takeReturn(new URLSearchParams(window.location.search).get('state')))
  const [state, setState] = useState<State>({ kind: 'waiting' })
  const finish = useFinish(onReturn, (title) => setState({ kind: 'done', title }))

  useEffect(() => {
    sent ??= finishSignIn(provider, window.location.search.slice(1), onReturn.invitation)
    sent.then(
      ({ account, secondFactor, signUp, linkedProvider, verifiedUntil }) => {
        if (signUp) setState({ kind: 'sign-up', offer: signUp })
        else if (linkedProvider !== null) void finish.linked(linkedProvider)
        else if (verifiedUntil !== null) finish.verified()
        else if (secondFactor) setState({ kind: 'second-factor', pending: secondFactor })
        else if (account) void finish.signedIn(account.id)
      },
      (error: unknown) => setState({ kind: 'failed', error }),
    )
  }, [])

  if (state.kind === 'failed') return <Failed name={name} error={state.error} onReturn={onReturn} />
  if (state.kind === 'sign-up')
    return (
      <ProviderSignUpForm
        offer={state.offer}
        invitation={onReturn.invitation ?? null}
        onDone={finish.signedUp}
      />
    )
  if (state.kind === 'second-factor')
    return (
      <AuthLayout title="Sign in">
        <SecondFactorStep
          pending={state.pending}
          onDone={(accountId) => finish.signedIn(accountId)}
          startAgain={() => window.location.assign(toInternalPath(onReturn.path))}
        />
      </AuthLayout>
    )
  if (state.kind === 'done')
    return (
      <AuthLayout title={state.title} description="You can close this tab and continue where you were.">
        <Anchor href="/" mt="lg" display="block">
          Go to Reeve
        </Anchor>
      </AuthLayout>
    )
  return (
    <AuthLayout title={`Signing in with ${name}`}>
      <Stack align="center" mt="lg" role="status" aria-label="Loading">
        <Loader />
      </Stack>
    </AuthLayout>
  )
}

/** What to do once somebody is signed in or an account is linked. @param stay shows that it is done, in a tab that does not close */
function useFinish({ path, closesTab }: ProviderReturn, stay: (title: string) => void) {
  const navigate = useNavigate()
  const open = (href: string) => navigate({ href: toInternalPath(href), replace: true })

  const closeTab = (title: string) => {
    stay(title)
    window.close()
  }

  /** @param accountId the account that signed in */
  async function signedIn(accountId: string, href = path): Promise<void> {
    announceSignIn(accountId)
    if (closesTab) return closeTab('You are signed in')
    queryClient.clear()
    await open(href)
  }
  return {
    signedIn,
    async signedUp(accountId: string, workspace: { readonly id: string; readonly groupName: string } | null) {
      if (workspace === null) return signedIn(accountId)
      await signedIn(accountId, `/w/${workspace.id}`)
      notifySuccess(`Welcome to ${workspace.groupName}.`)
    },
    verified() {
      announceVerification()
      closeTab('You have confirmed that it is you')
    },
    async linked(providerName: string) {
      await open(path)
      notifySuccess(`Your ${providerName} account is linked. You can sign in with it from now on.`)
    },
  }
}

interface FailedProps {
  readonly name: string
  readonly error: unknown
  readonly onReturn: ProviderReturn
}

const Failed = ({ name, error, onReturn: { path, closesTab } }: FailedProps) => (
  <AuthLayout title={`${name} did not work`}>
    <Stack gap="md" mt="lg">
      <Text role="alert">{getErrorMessage(error)}</Text>
      {error instanceof ApiError && error.requestId !== '' ? (
        <Text c="dimmed" size="xs">
          Request {error.requestId}
        </Text>
      ) : null}
      {closesTab ? (
        <Text size="sm">Close this tab to return to the page where you were.</Text>
      ) : (
        <Button component="a" href={toInternalPath(path)} size="md" fullWidth>
          Back
        </Button>
      )}
    </Stack>
  </AuthLayout>
)
