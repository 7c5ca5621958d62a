import { getDefaultZIndex, Modal, type ModalProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'

export type BareModalProps = Omit<ModalProps, 'closeButtonProps'> & {
  /** Whether it cannot be closed. */
  readonly isLocked?: boolean
}

/** Dialogs that functions open are above those of screens, and what asks is above both. */
export const STACK_LEVEL = getDefaultZIndex('modal') + 1
export const DISCARD_LEVEL = STACK_LEVEL + 1

/** What a dialog has while a request of its form runs. */
const lockedProps = { closeOnEscape: false, closeOnClickOutside: false } as const

/**
 * The window of a dialog. It opens after it was mounted: `Modal` remembers what to give the focus back to only when `opened`
 * changes.
 */
export function BareModal({ opened, isLocked = false, ...props }: BareModalProps) {
  const isMounted = useMounted()
  return (
    <Modal
      {...props}
      {...(isLocked && lockedProps)}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isLocked }}
      opened={opened && isMounted}
    />
  )
}
