import { Modal, type ModalProps } from '@mantine/core'

/** What every dialog has: a name for the button that shuts it. */
export const dialogProps = { closeButtonProps: { 'aria-label': 'Close' } } as const

/** A dialog over the page. One that holds what was typed says `closeOnClickOutside={false}`: no slip of a finger loses it. */
export const Dialog = (props: Omit<ModalProps, keyof typeof dialogProps>) => (
  <Modal {...dialogProps} {...props} />
)
