import { ModalsProvider, useModals } from '@mantine/modals'
import { useEffect } from 'react'
import type { ConsumerProps } from './deferred-queue.tsx'
import type { OpenedModal } from './opened-modal.ts'

const modalProps = { closeButtonProps: { 'aria-label': 'Close' } }
const labels = { confirm: 'Continue', cancel: 'Cancel' }

/** Shows the newest of the dialogs that functions have opened. */
export const ModalStack = (props: ConsumerProps<OpenedModal>) => (
  <ModalsProvider modalProps={modalProps} labels={labels}>
    <Opener {...props} />
  </ModalsProvider>
)

function Opener({ count, take }: ConsumerProps<OpenedModal>) {
  const { openModal, closeModal } = useModals()
  useEffect(() => {
    if (count === 0) return
    for (const { render, ...settings } of take()) {
      const id: string = openModal({ ...settings, children: render(() => closeModal(id)) })
    }
  }, [count, take, openModal, closeModal])
  return null
}
