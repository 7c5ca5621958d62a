import type { NotificationData } from '@mantine/notifications'

/** Moves the focus to the newest toast, also out of an open dialog. */
export const TOAST_KEY = 'F8'

/** Selects the elements of toasts. */
export const TOAST_SELECTOR = '.mantine-Notification-root'

/** A button of a toast. */
export interface ToastAction {
  readonly label: string
  /** An error is shown as a toast. */
  readonly run: () => Promise<void>
}

export interface ToastContent extends Pick<NotificationData, 'color' | 'icon' | 'role'> {
  readonly text: string
  readonly action?: ToastAction | undefined
  /** In milliseconds; false to stay until it is closed. */
  readonly autoClose: number | false
  readonly onActionFailed: (error: unknown) => void
}
