import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

/** Shared by every dialog: the accessible name of the close button. */
export const dialogProps = { closeButtonProps: { 'aria-label': 'Close' } } as const

/** A modal dialog. One with input sets `closeOnClickOutside={false}`, so that a stray click does not lose it. */
export function Dialog({ opened, ...props }: Omit<ModalProps, keyof typeof dialogProps>) {
  // Mantine notes where the focus returns to when a dialog changes from closed to open. One that is loaded on demand is
  // already to be open when it is first rendered.
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return <Modal {...dialogProps} {...props} opened={opened && isMounted} />
}
