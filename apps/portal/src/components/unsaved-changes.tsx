import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { BareModal, DISCARD_LEVEL } from './bare-modal.tsx'

interface Options {
  /** Whether nothing can be unsaved, because the input is not shown or empty. */
  readonly isOff: boolean
  /** Whether the input is a part of its page, which changes of the query string do not leave. */
  readonly isPart?: boolean
  /** Whether the input is in a dialog, which the page behind it does not close by changing the query string, as a search does. */
  readonly isDialog?: boolean
  /** Whether the input is being saved: what it navigates to then is its own doing. */
  readonly isSaving?: boolean
}

/**
 * Prevents the loss of unsaved input when the dialog is closed, on navigation, and when the page is closed.
 * @param close closes the dialog, if the input is in one
 */
export function useUnsavedChanges(
  close: () => void,
  { isOff, isPart = false, isDialog = false, isSaving = false }: Options,
) {
  const [isConfirming, setIsConfirming] = useState(false)
  const isDirty = useRef<() => boolean>(() => false)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn({ current, next, action }) {
      const isByApp = action === 'PUSH' || action === 'REPLACE'
      const staysOpen = current.pathname === next.pathname && (isPart || (isDialog && isByApp))
      return !staysOpen && !(isSaving && isByApp) && isDirty.current()
    },
    enableBeforeUnload: () => isDirty.current(),
    disabled: isOff,
    withResolver: true,
  })
  const keepEditing = () => {
    setIsConfirming(false)
    reset?.()
  }
  // Saved while the user was asked.
  useEffect(() => {
    if (isOff) keepEditing()
  }, [isOff])
  return {
    isConfirming: isConfirming || status === 'blocked',
    /** Sets the check for unsaved changes; called on every render of the form. */
    setDirtyCheck(isChanged: () => boolean) {
      isDirty.current = isChanged
    },
    requestClose() {
      if (!isOff && isDirty.current()) setIsConfirming(true)
      else close()
    },
    keepEditing,
    discard() {
      isDirty.current = () => false
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
  <BareModal
    opened={unsavedChanges.isConfirming}
    onClose={unsavedChanges.keepEditing}
    title="Discard changes?"
    zIndex={DISCARD_LEVEL}
  >
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
  </BareModal>
)
