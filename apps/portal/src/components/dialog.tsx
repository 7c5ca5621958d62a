import { Modal, type ModalProps } from '@mantine/core'

/** Shared by every dialog: the accessible name of the close button. */
export const dialogProps = { closeButtonProps: { 'aria-label': 'Close' } } as const

/** A modal dialog. One with input sets `closeOnClickOutside={false}`, so that a stray click does not lose it. */
export const Dialog = (props: Omit<ModalProps, keyof typeof dialogProps>) => (
  <Modal {...dialogProps} {...props} />
)
