import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryClient } from '../../api/query.ts'
import { ownPath } from '../../app/search.ts'
import { Front } from '../../components/front.tsx'
import { SignInForm } from './sign-in-form.tsx'

const ALREADY_SET_UP = 'This instance has been set up already; sign in instead.'

/** Signs in, and goes to where the reader was on the way to. */
export function SignIn() {
  const { to, note } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Front title="Sign in" {...(note === 'set-up' ? { lead: ALREADY_SET_UP } : {})}>
      <SignInForm
        onDone={async () => {
          queryClient.clear()
          await navigate({ href: ownPath(to), replace: true })
        }}
      />
    </Front>
  )
}
