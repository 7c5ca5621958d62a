import { useEffect, useRef } from 'react'
import { type Me, meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import {
  KEEP_PAGE_MINUTES,
  resumeSession,
  type SessionEnd,
  useIsPageRemoved,
} from '../../api/session-expiry.ts'
import { getFocused, returnFocus } from '../../app/keep-focus.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import classes from './session-expired-dialog.module.css'
import { SignInForm } from './sign-in-form.tsx'

const explanations: Readonly<Record<SessionEnd, string>> = {
  session_expired: 'Your session has expired.',
  missing_credentials: 'You are no longer signed in: your session expired, or you signed out in another tab.',
  invalid_session:
    'Your session was ended: on another device, by a change of your password, or because your account was disabled.',
  signed_out: 'You signed out in another tab.',
}

/**
 * Asks for the password again after the session has ended. The page below keeps its state, including typed input, for
 * the same user. Another user starts from scratch.
 */
export function SessionExpiredDialog({ sessionEnd }: { readonly sessionEnd: SessionEnd | null }) {
  return sessionEnd ? <SignInAgainDialog sessionEnd={sessionEnd} /> : null
}

function SignInAgainDialog({ sessionEnd }: { readonly sessionEnd: SessionEnd }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef(document.title)
  const keptInput = useIsPageRemoved()
    ? 'The page has been cleared, with what you had typed.'
    : `What you have typed is kept for ${KEEP_PAGE_MINUTES} minutes.`
  const previousMe = queryClient.getQueryData<Me>(meQuery.queryKey)

  // A native modal dialog makes everything below it inert.
  useEffect(() => {
    const { current } = dialog
    const titleBefore = title.current
    const focusBefore = getFocused()
    current?.showModal()
    current?.querySelector<HTMLInputElement>('[name="password"]')?.focus()
    return () => {
      current?.close()
      document.title = titleBefore
      returnFocus(focusBefore)
    }
  }, [])

  return (
    <dialog ref={dialog} className={classes.dialog} onCancel={(event) => event.preventDefault()}>
      <AuthLayout
        title="Sign in again"
        description={`${explanations[sessionEnd]} Sign in to continue where you were. ${keptInput}`}
      >
        <SignInForm
          username={previousMe?.username ?? ''}
          providers={<ProviderButtons returnTo="new-tab" />}
          onDone={async (accountId) => resumeSession(accountId)}
        />
      </AuthLayout>
    </dialog>
  )
}
