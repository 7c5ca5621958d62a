import { randomId } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useWorkspaceOrNull } from '../api/me.ts'
import { STACK_LEVEL } from './bare-modal.tsx'
import type { ConsumerProps } from './deferred-queue.tsx'
import { ModalDialog } from './modal.tsx'
import type { OpenedModal } from './opened-modal.ts'

interface StackedModal extends Omit<OpenedModal, 'render'> {
  readonly id: string
  readonly content: ReactNode
  /** The page that opened it. */
  readonly pathname: string
  /** The workspace of that page, while the user belonged to it. */
  readonly workspaceId: string | undefined
}

/** Shows the newest of the dialogs that functions have opened, as long as their page is shown, and its workspace can be opened. */
export function ModalStack({ count, take }: ConsumerProps<OpenedModal>) {
  const [stack, setStack] = useState<readonly StackedModal[]>([])
  const [shown, setShown] = useState<StackedModal | null>(null)
  const { pathname } = useLocation()
  const workspaceId = useWorkspaceOrNull()?.id
  const isHere = (modal: StackedModal) =>
    modal.staysOnNavigation || (modal.pathname === pathname && modal.workspaceId === workspaceId)
  const close = (id: string) => setStack((before) => before.filter((modal) => modal.id !== id))
  useEffect(() => {
    if (count === 0) return
    const added = take().map(({ render, ...settings }) => {
      const id = randomId()
      return { ...settings, id, pathname, workspaceId, content: render(() => close(id)) }
    })
    setStack((before) => [...before, ...added])
  }, [count, take, pathname, workspaceId])
  const leavePage = useEffectEvent(() => setStack((before) => before.filter(isHere)))
  useEffect(leavePage, [pathname, workspaceId])
  const newest = stack.findLast(isHere)
  // The last one stays until it has faded out.
  if (newest && newest !== shown) setShown(newest)
  // What depends on its page must not be rendered on another one, not even while it fades out.
  if (shown === null || !isHere(shown)) return null
  const { id, content, pathname: _, staysOnNavigation: __, ...settings } = newest ?? shown
  return (
    <ModalDialog
      key={id}
      {...settings}
      zIndex={STACK_LEVEL}
      opened={newest !== undefined}
      onClose={() => close(id)}
    >
      {content}
    </ModalDialog>
  )
}
