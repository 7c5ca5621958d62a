import { useEffect, useRef } from 'react'
import { type Me, meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { dismissSessionOverlay, useSessionError } from '../../api/session-expiry.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import classes from './session-expired-dialog.module.css'
import { SignInForm } from './sign-in-form.tsx'

/*
 * Asks for the password again after the session has ended. The page below keeps its state, including typed input, for
 * the same user. Another user starts from scratch.

 */
export function SessionExpiredDialog() {
  const sessionEnd = useSessionError()
  return sessionEnd ? <SignInAgainDialog message={sessionEnd.message} /> : null
}

function SignInAgainDialog({ message }: { readonly message: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef(document.title)
  const previousMe = queryClient.getQueryData<Me>(meQuery.queryKey)

  // A native modal dialog makes everything below it inert.
  useEffect(() => {
    const { current } = dialog
    const titleBefore = title.current
    const focusBefore = document.activeElement
    current?.showModal()
    current?.querySelector<HTMLInputElement>('[name="password"]')?.focus()
    return () => {
      current?.close()
      document.title = titleBefore
      if (focusBefore instanceof HTMLElement) focusBefore.focus()
    }
  }, [])

  const resumeSession = async (accountId: string) => {
    if (accountId !== previousMe?.id) {
      window.location.assign('/')
      return
    }
    dismissSessionOverlay(true)
    await queryClient.invalidateQueries()
  }
  return (
    <dialog ref={dialog} className={classes.dialog} onCancel={(event) => event.preventDefault()}>
      <AuthLayout title="Sign in again" description={message}>
        <SignInForm username={previousMe?.username ?? ''} onDone={resumeSession} />
      </AuthLayout>
    </dialog>
  )
}
