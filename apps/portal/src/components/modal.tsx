import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

const closeButtonProps = { 'aria-label': 'Close' } as const

/** True after the first render: what is mounted closed and then opened returns the focus when it closes. */
function useIsMounted(): boolean {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return isMounted
}

/** The content of a dialog. Screens use `Dialog`, which loads it. */
export function ModalDialog({ opened, ...props }: Omit<ModalProps, 'closeButtonProps'>) {
  const isMounted = useIsMounted()
  return <Modal closeButtonProps={closeButtonProps} {...props} opened={opened && isMounted} />
}

/** A panel at the bottom edge of a phone. */
export function BottomDrawer({ opened, ...props }: Omit<DrawerProps, 'closeButtonProps' | 'position'>) {
  const isMounted = useIsMounted()
  return (
    <Drawer position="bottom" closeButtonProps={closeButtonProps} {...props} opened={opened && isMounted} />
  )
}
