import { useEffect, useRef } from 'react'
import { type Me, meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query.ts'
import { uncover, useSessionEnd } from '../../api/session-end.ts'
import { Front } from '../../components/front.tsx'
import classes from './session-cover.module.css'
import { SignInForm } from './sign-in-form.tsx'

/**
 * Covers the page once its session has ended, and everything below stays as it was: whoever signs in again goes on where
 * they were, with what they had typed. Somebody else starts anew.
 */
export function SessionCover() {
  const ending = useSessionEnd()
  return ending ? <Cover sentence={ending.message} /> : null
}

function Cover({ sentence }: { readonly sentence: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef(document.title)
  const before = queryClient.getQueryData<Me>(meQuery.queryKey)

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

  const goOn = async (accountId: string) => {
    if (accountId !== before?.id) {
      window.location.assign('/')
      return
    }
    uncover(true)
    await queryClient.invalidateQueries()
  }
  return (
    <dialog ref={dialog} className={classes.cover} onCancel={(event) => event.preventDefault()}>
      <Front title="Sign in again" lead={sentence}>
        <SignInForm username={before?.username ?? ''} onDone={goOn} />
      </Front>
    </dialog>
  )
}
