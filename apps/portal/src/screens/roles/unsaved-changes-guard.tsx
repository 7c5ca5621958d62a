import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '../../components/dialog.tsx'

/** Asks before somebody leaves the screen with changes that are not saved. */
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
        <Text size="sm">What you changed of the permissions here is not saved yet.</Text>
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
