import { Button } from '@mantine/core'
import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import type { ConsumerProps } from './deferred-queue.tsx'
import classes from './toast.module.css'
import { TOAST_KEY, type ToastContent } from './toast-content.ts'

/** How many toasts are shown at once, so that they do not fill a phone; others follow. */
const MAX_TOASTS = 3

/** Shows the toasts, above the bottom navigation of a phone. */
export function ToastStack({ count, take }: ConsumerProps<ToastContent>) {
  useEffect(() => {
    if (count > 0) for (const content of take()) showToast(content)
  }, [count, take])
  return (
    <Notifications
      position="bottom-right"
      containerWidth={400}
      limit={MAX_TOASTS}
      classNames={{ root: classes.toasts }}
    />
  )
}

/** Shows a toast. It stays while it has the focus, which returns to where it came from when the toast closes. */
function showToast({ text, undo, onUndoFailed, ...data }: ToastContent): void {
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
              undo.run().catch(onUndoFailed)
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
