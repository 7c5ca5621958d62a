import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient } from '../../api/query-client.ts'
import { toInternalPath } from '../../app/search-params.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { SignInForm } from './sign-in-form.tsx'

const ALREADY_SET_UP = 'This instance has been set up already; sign in instead.'

/** Signs in, and goes to where the reader was on the way to. */
export function SignIn() {
  const { to, note } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <AuthLayout title="Sign in" {...(note === 'set-up' ? { description: ALREADY_SET_UP } : {})}>
      <SignInForm
        onDone={async () => {
          queryClient.clear()
          await navigate({ href: toInternalPath(to), replace: true })
        }}
      />
    </AuthLayout>
  )
}
