import { Modal, type ModalProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'

/** Shared by every dialog: the accessible name of the close button. */
export const dialogProps = { closeButtonProps: { 'aria-label': 'Close' } } as const

/**
 * A modal dialog. One with input sets `closeOnClickOutside={false}`, so that a stray click does not lose it. It opens after
 * it was mounted, also if it was loaded to be opened: `Modal` remembers what to give the focus back to only when it changes.
 */
export function Dialog({ opened, ...props }: Omit<ModalProps, keyof typeof dialogProps>) {
  const isMounted = useMounted()
  return <Modal {...dialogProps} {...props} opened={opened && isMounted} />
}
