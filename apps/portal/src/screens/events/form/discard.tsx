import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'

/** Keeps what was typed into a dialog from being lost by shutting it, by going back, or by closing the page. */
export function useUnsaved(close: () => void) {
  const [isAsking, setIsAsking] = useState(false)
  const isDirty = useRef<() => boolean>(() => false)
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty.current(),
    enableBeforeUnload: () => isDirty.current(),
    withResolver: true,
  })
  const forget = () => {
    isDirty.current = () => false
  }
  return {
    isAsking: isAsking || status === 'blocked',
    /** Says how it is told whether there is something to lose; at every render of the form. */
    watch(isChanged: () => boolean) {
      isDirty.current = isChanged
    },
    /** There is nothing to lose any more. */
    forget,
    askToClose() {
      // Asked once the key that shuts the form is dealt with: the question would take the same Escape for an answer.
      if (isDirty.current()) return void setTimeout(() => setIsAsking(true))
      forget()
      close()
    },
    stay() {
      setIsAsking(false)
      reset?.()
    },
    leave() {
      forget()
      setIsAsking(false)
      close()
      proceed?.()
    },
  }
}

/** Asks before what was typed is thrown away. */
export const DiscardQuestion = ({ unsaved }: { readonly unsaved: ReturnType<typeof useUnsaved> }) => (
  <Dialog opened={unsaved.isAsking} onClose={unsaved.stay} title="Throw away what you typed?">
    <Text size="sm" mb="md">
      The event is not saved yet.
    </Text>
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={unsaved.stay} data-autofocus>
        Go on editing
      </Button>
      <Button color="red" onClick={unsaved.leave}>
        Throw it away
      </Button>
    </Group>
  </Dialog>
)
