import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'

/** Keeps what was typed into a dialog from being lost by shutting it, by going back, or by closing the page. */
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
    /** Says how it is told whether there is something to lose; at every render of the form. */
    setDirtyCheck(isChanged: () => boolean) {
      isDirty.current = isChanged
    },
    /** There is nothing to lose any more. */
    clear,
    requestClose() {
      // Asked once the key that shuts the form is dealt with: the question would take the same Escape for an answer.
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

/** Asks before what was typed is thrown away. */
export const DiscardDialog = ({
  unsavedChanges,
}: {
  readonly unsavedChanges: ReturnType<typeof useUnsavedChanges>
}) => (
  <Dialog
    opened={unsavedChanges.isConfirming}
    onClose={unsavedChanges.keepEditing}
    title="Throw away what you typed?"
  >
    <Text size="sm" mb="md">
      The event is not saved yet.
    </Text>
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={unsavedChanges.keepEditing} data-autofocus>
        Go on editing
      </Button>
      <Button color="red" onClick={unsavedChanges.discard}>
        Throw it away
      </Button>
    </Group>
  </Dialog>
)
