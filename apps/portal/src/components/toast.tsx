import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck, IconExclamationMark } from '@tabler/icons-react'
import { getErrorMessage } from '../api/error.ts'

const SUCCESS_MS = 5000
/** Long enough to read the message, notice a mistake and click Undo. */
const UNDO_MS = 12_000

interface Undo {
  readonly label: string
  /** Undoes the action. An error is shown as a toast. */
  readonly run: () => Promise<void>
}

/** Confirms an action in a toast, with an optional undo button. */
export function notifySuccess(message: string, undo?: Undo): void {
  const id = notifications.show({
    color: 'green',
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: undo ? UNDO_MS : SUCCESS_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: undo ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            undo.run().catch(notifyError)
          }}
        >
          {undo.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}

/** Shows an error in a toast, where there is no form or dialog to show it. */
export function notifyError(error: unknown): void {
  notifications.show({
    color: 'red',
    icon: <IconExclamationMark size={16} aria-hidden />,
    autoClose: false,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    role: 'alert',
    message: getErrorMessage(error),
  })
}
