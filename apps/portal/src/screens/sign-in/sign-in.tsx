import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { announceSignIn } from '../../api/session-expiry.ts'
import { toInternalPath } from '../../app/search-params.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

const ALREADY_SET_UP = 'This instance is already set up. Sign in instead.'

/** The sign-in screen; redirects to the originally requested page. */
export function SignIn() {
  const { to, note } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <AuthLayout title="Sign in" {...(note === 'set-up' ? { description: ALREADY_SET_UP } : {})}>
      <SignInForm
        onDone={async (accountId) => {
          announceSignIn(accountId)
          queryClient.clear()
          await navigate({ href: toInternalPath(to), replace: true })
        }}
      />
    </AuthLayout>
  )
}
