import { Drawer, type DrawerProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useMemo, useRef, useState } from 'react'
import { BareModal, type BareModalProps, SCREEN_LEVEL } from './bare-modal.tsx'
import { DialogContext } from './dialog-context.ts'
import { useDialogTexts } from './dialog-texts.ts'
import { useEscapeKey } from './open-dialogs.ts'
import { DiscardDialog, useUnsavedChanges } from './unsaved-changes.tsx'
import { useTypedText } from './use-typed-text.ts'

export interface ModalDialogProps extends Omit<BareModalProps, 'isLocked'> {
  /** Whether its screen keeps what was typed after closing, and asks before that is lost. */
  readonly keepsInput?: boolean
}

/** The content of a dialog, which asks before typed text is lost. Screens use `Dialog`, which loads it. */
export function ModalDialog({ opened, onClose, keepsInput = false, children, ...props }: ModalDialogProps) {
  const [isLocked, setLocked] = useState(false)
  const typedText = useTypedText()
  const ownCheck = useRef<(() => boolean) | null>(null)
  const isOff = !opened || keepsInput
  const unsavedChanges = useUnsavedChanges(onClose, { isOff, isDialog: true, isSaving: isLocked })
  unsavedChanges.setDirtyCheck(() => ownCheck.current?.() || typedText.hasText())
  useDialogTexts(() => (isOff || isLocked ? [] : typedText.readTexts()))
  const requestClose = useRef(unsavedChanges.requestClose)
  requestClose.current = unsavedChanges.requestClose
  const controls = useMemo(
    () => ({
      setLocked,
      setDirtyCheck(isDirty: (() => boolean) | null) {
        ownCheck.current = isDirty
      },
      requestClose: () => requestClose.current(),
    }),
    [],
  )
  return (
    <>
      <BareModal
        {...props}
        isLocked={isLocked}
        opened={opened}
        onClose={unsavedChanges.requestClose}
        onFocusCapture={typedText.onFocusCapture}
      >
        <DialogContext value={controls}>{children}</DialogContext>
      </BareModal>
      <DiscardDialog unsavedChanges={unsavedChanges} />
    </>
  )
}

/** A panel at the bottom edge of a phone. */
export function BottomDrawer({
  opened,
  onClose,
  ...props
}: Omit<DrawerProps, 'closeButtonProps' | 'closeOnEscape' | 'position' | 'zIndex'>) {
  const isMounted = useMounted()
  const isOpen = opened && isMounted
  useEscapeKey(isOpen, SCREEN_LEVEL, onClose)
  return (
    <Drawer
      position="bottom"
      closeButtonProps={{ 'aria-label': 'Close' }}
      {...props}
      closeOnEscape={false}
      opened={isOpen}
      onClose={onClose}
    />
  )
}
