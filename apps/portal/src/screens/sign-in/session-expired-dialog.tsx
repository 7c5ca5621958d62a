import { useEffect, useRef } from 'react'
import { type Me, meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { dismissSessionOverlay, useSessionError } from '../../api/session-expiry.ts'
import { AuthLayout } from '../../components/auth-layout.tsx'
import classes from './session-cover.module.css'
import { SignInForm } from './sign-in-form.tsx'

/**
 * Covers the page once its session has ended, and everything below stays as it was: whoever signs in again goes on where
 * they were, with what they had typed. Somebody else starts anew.
 */
export function SessionExpiredDialog() {
  const sessionEnd = useSessionError()
  return sessionEnd ? <SignInAgainDialog message={sessionEnd.message} /> : null
}

function SignInAgainDialog({ message }: { readonly message: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef(document.title)
  const previousMe = queryClient.getQueryData<Me>(meQuery.queryKey)

  // A modal dialog of the browser's own: nothing below it can be reached, wherever it is on the page.
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
    <dialog ref={dialog} className={classes.cover} onCancel={(event) => event.preventDefault()}>
      <AuthLayout title="Sign in again" description={message}>
        <SignInForm username={previousMe?.username ?? ''} onDone={resumeSession} />
      </AuthLayout>
    </dialog>
  )
}
