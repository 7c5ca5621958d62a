import { randomId } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { STACK_LEVEL } from './bare-modal.tsx'
import type { ConsumerProps } from './deferred-queue.tsx'
import { ModalDialog } from './modal.tsx'
import type { OpenedModal } from './opened-modal.ts'

interface StackedModal extends Omit<OpenedModal, 'render'> {
  readonly id: string
  readonly content: ReactNode
}

/** Shows the newest of the dialogs that functions have opened. */
export function ModalStack({ count, take }: ConsumerProps<OpenedModal>) {
  const [stack, setStack] = useState<readonly StackedModal[]>([])
  const [shown, setShown] = useState<StackedModal | null>(null)
  const close = (id: string) => setStack((before) => before.filter((modal) => modal.id !== id))
  useEffect(() => {
    if (count === 0) return
    const added = take().map(({ render, ...settings }) => {
      const id = randomId()
      return { ...settings, id, content: render(() => close(id)) }
    })
    setStack((before) => [...before, ...added])
  }, [count, take])
  const newest = stack.at(-1)
  // The last one stays until it has faded out.
  if (newest && newest !== shown) setShown(newest)
  if (shown === null) return null
  const { id, content, ...settings } = newest ?? shown
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
