import { getDefaultZIndex, Modal, type ModalProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useEscapeKey } from './open-dialogs.ts'

export type BareModalProps = Omit<ModalProps, 'closeButtonProps' | 'zIndex'> & {
  /** Whether it cannot be closed, because a request of its form runs. */
  readonly isLocked?: boolean
  readonly zIndex?: number
}

/** Where dialogs of screens are. */
export const SCREEN_LEVEL = getDefaultZIndex('modal')
/** Dialogs that functions open are above those of screens, and what asks is above both. */
export const STACK_LEVEL = SCREEN_LEVEL + 1
export const DISCARD_LEVEL = STACK_LEVEL + 1

/**
 * The window of a dialog. It opens after it was mounted: `Modal` remembers what to give the focus back to only when `opened`
 * changes.
 */
export function BareModal({
  opened,
  onClose,
  isLocked = false,
  closeOnEscape = true,
  zIndex = SCREEN_LEVEL,
  ...props
}: BareModalProps) {
  const isMounted = useMounted()
  const isOpen = opened && isMounted
  useEscapeKey(isOpen, zIndex, closeOnEscape && !isLocked ? onClose : null)
  return (
    <Modal
      {...props}
      {...(isLocked && { closeOnClickOutside: false })}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isLocked }}
      closeOnEscape={false}
      opened={isOpen}
      onClose={onClose}
      zIndex={zIndex}
    />
  )
}
