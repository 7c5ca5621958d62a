import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '../../components/dialog.tsx'

/** Asks for confirmation before leaving the screen with unsaved changes. */
export function UnsavedChangesGuard({ hasUnsavedChanges }: { readonly hasUnsavedChanges: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsavedChanges && current.pathname !== next.pathname,
    enableBeforeUnload: () => hasUnsavedChanges,
    withResolver: true,
  })
  const stay = () => blocker.reset?.()
  return (
    <Dialog opened={blocker.status === 'blocked'} onClose={stay} title="Leave without saving?">
      <Stack gap="md">
        <Text size="sm">Your changes are not saved.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={stay} data-autofocus>
            Stay
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            Leave and discard
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
