import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'

/** Prevents the loss of unsaved input when the dialog is closed, on navigation, and when the page is closed. */
export function useUnsavedChanges(close: () => void) {
  const [isConfirming, setIsConfirming] = useState(false)
  const isDirty = useRef<() => boolean>(() => false)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty.current(),
    enableBeforeUnload: () => isDirty.current(),
    withResolver: true,
  })
  const clear = () => {
    isDirty.current = () => false
  }
  return {
    isConfirming: isConfirming || status === 'blocked',
    /** Sets the check for unsaved changes; called on every render of the form. */
    setDirtyCheck(isChanged: () => boolean) {
      isDirty.current = isChanged
    },
    /** Allows closing without confirmation. */
    clear,
    requestClose() {
      // Opened after the current event: otherwise the same Escape would also close the confirmation.
      if (isDirty.current()) return void setTimeout(() => setIsConfirming(true))
      clear()
      close()
    },
    keepEditing() {
      setIsConfirming(false)
      reset?.()
    },
    discard() {
      clear()
      setIsConfirming(false)
      close()
      proceed?.()
    },
  }
}

/** The confirmation before unsaved changes are discarded. */
export const DiscardDialog = ({
  unsavedChanges,
}: {
  readonly unsavedChanges: ReturnType<typeof useUnsavedChanges>
}) => (
  <Dialog opened={unsavedChanges.isConfirming} onClose={unsavedChanges.keepEditing} title="Discard changes?">
    <Text size="sm" mb="md">
      Your changes have not been saved.
    </Text>
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={unsavedChanges.keepEditing} data-autofocus>
        Keep editing
      </Button>
      <Button color="red" onClick={unsavedChanges.discard}>
        Discard changes
      </Button>
    </Group>
  </Dialog>
)
