import type { NotificationData } from '@mantine/notifications'

/** Moves the focus to the newest toast, also out of an open dialog. */
export const TOAST_KEY = 'F8'

/** Selects the elements of toasts. */
export const TOAST_SELECTOR = '.mantine-Notification-root'

export interface Undo {
  readonly label: string
  /** Undoes the action. An error is shown as a toast. */
  readonly run: () => Promise<void>
}

export interface ToastContent extends Pick<NotificationData, 'color' | 'icon' | 'role'> {
  readonly text: string
  readonly undo?: Undo | undefined
  /** In milliseconds; false to stay until it is closed. */
  readonly autoClose: number | false
  readonly onUndoFailed: (error: unknown) => void
}
