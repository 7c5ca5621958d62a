import { Button } from '@mantine/core'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { IconCheck, IconExclamationMark } from '@tabler/icons-react'
import { getErrorMessage } from '../api/error.ts'
import classes from './toast.module.css'

const SUCCESS_MS = 5000
/** Long enough to read the message, notice a mistake and click Undo. */
const UNDO_MS = 12_000

/** How many toasts are shown at once, so that they do not fill a phone; others follow. */
const MAX_TOASTS = 3

/** Moves the focus to the newest toast, also out of an open dialog. */
export const TOAST_KEY = 'F8'

interface Undo {
  readonly label: string
  /** Undoes the action. An error is shown as a toast. */
  readonly run: () => Promise<void>
}

/** Shows the toasts, above the bottom navigation of a phone. */
export const Toasts = () => (
  <Notifications
    position="bottom-right"
    containerWidth={400}
    limit={MAX_TOASTS}
    classNames={{ root: classes.toasts }}
  />
)

/** Focuses the undo button of the newest toast, or else its close button. */
export function focusNewestToast(): void {
  const newest = [...document.querySelectorAll('.mantine-Notification-root')].at(-1)
  const button = newest?.querySelector<HTMLElement>('[data-undo]') ?? newest?.querySelector('button')
  button?.focus()
}

interface ToastContent extends Pick<NotificationData, 'color' | 'icon' | 'role'> {
  readonly text: string
  readonly undo?: Undo | undefined
  /** In milliseconds; false to stay until it is closed. */
  readonly autoClose: number | false
}

/** Shows a toast. It stays while it has the focus, which returns to where it came from when the toast closes. */
function showToast({ text, undo, ...data }: ToastContent): void {
  const id = crypto.randomUUID()
  let focusBefore: EventTarget | null = null
  let isClosed = false
  const toast: NotificationData = {
    ...data,
    id,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <div className={classes.message}>
        <span className={classes.text}>{text}</span>
        {undo ? (
          <Button
            className={classes.undo}
            size="compact-sm"
            variant="light"
            aria-keyshortcuts={TOAST_KEY}
            data-undo
            onClick={() => {
              notifications.hide(id)
              undo.run().catch(notifyError)
            }}
          >
            {undo.label}
          </Button>
        ) : null}
      </div>
    ),
    onFocusCapture({ relatedTarget, currentTarget }) {
      if (isClosed || currentTarget.contains(relatedTarget)) return
      focusBefore = relatedTarget
      notifications.update({ ...toast, autoClose: false })
    },
    onBlurCapture({ relatedTarget, currentTarget }) {
      if (isClosed || currentTarget.contains(relatedTarget)) return
      focusBefore = null
      notifications.update(toast)
    },
    onClose() {
      isClosed = true
      if (focusBefore instanceof HTMLElement) focusBefore.focus()
    },
  }
  notifications.show(toast)
}

/** Confirms an action in a toast, with an optional undo button. */
export function notifySuccess(text: string, undo?: Undo): void {
  const icon = <IconCheck size={16} aria-hidden />
  showToast({ text, undo, icon, color: 'green', autoClose: undo ? UNDO_MS : SUCCESS_MS })
}

/** Shows an error in a toast, where there is no form or dialog to show it. */
export function notifyError(error: unknown): void {
  const icon = <IconExclamationMark size={16} aria-hidden />
  showToast({ text: getErrorMessage(error), icon, color: 'red', autoClose: false, role: 'alert' })
}
