import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'

const closeButtonProps = { 'aria-label': 'Close' } as const

/**
 * The content of a dialog. Screens use `Dialog`, which loads it. It opens after it was mounted: `Modal` remembers what to give
 * the focus back to only when `opened` changes.
 */
export function ModalDialog({ opened, ...props }: Omit<ModalProps, 'closeButtonProps'>) {
  const isMounted = useMounted()
  return <Modal closeButtonProps={closeButtonProps} {...props} opened={opened && isMounted} />
}

/** A panel at the bottom edge of a phone. */
export function BottomDrawer({ opened, ...props }: Omit<DrawerProps, 'closeButtonProps' | 'position'>) {
  const isMounted = useMounted()
  return (
    <Drawer position="bottom" closeButtonProps={closeButtonProps} {...props} opened={opened && isMounted} />
  )
}
