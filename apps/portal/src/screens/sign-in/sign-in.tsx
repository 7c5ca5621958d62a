import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { toInternalPath } from '../../app/search-params.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** What the screen that led here has to say. */
const notes: Readonly<Record<string, string>> = {
  'set-up': 'This instance is already set up. Sign in instead.',
  'password-set': 'Your new password is set. Sign in with it and with your second factor.',
}

/** The sign-in screen; redirects to the originally requested page. */
export function SignIn() {
  const { to, note } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <AuthLayout
      title="Sign in"
      {...(note !== undefined && note in notes ? { description: notes[note] } : {})}
    >
      <SignInForm
        providers={<ProviderButtons returnTo={{ path: toInternalPath(to) }} />}
        onDone={async (accountId) => {
          announceSignIn(accountId)
          queryClient.clear()
          await navigate({ href: toInternalPath(to), replace: true })
        }}
      />
    </AuthLayout>
  )
}
