import { Button } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { createRandomId } from '../api/random-id.ts'
import type { ConsumerProps } from './deferred-queue.tsx'
import classes from './toast.module.css'
import { TOAST_KEY, TOAST_SELECTOR, type ToastAction, type ToastContent } from './toast-content.ts'
import { useToastPlace } from './use-toast-place.ts'

/** How many toasts are shown at once, so that they do not fill a phone; others follow. */
const MAX_TOASTS = 3

const POSITION = 'bottom-right'

/** Shows the toasts, above the bottom navigation of a phone, and off the buttons of a dialog. */
export function ToastStack({ count, take }: ConsumerProps<ToastContent>) {
  useToastPlace(`.mantine-Notifications-root[data-position="${POSITION}"]`)
  useEffect(() => {
    if (count > 0) for (const content of take()) showToast(content)
  }, [count, take])
  return (
    <Notifications
      position={POSITION}
      containerWidth={400}
      limit={MAX_TOASTS}
      classNames={{ root: classes.toasts }}
    />
  )
}

/**
 * Shows a toast. It stays while it has the focus, which returns to where it came from when the toast closes, and while the pointer is on it. That
 * is asked of the browser when it would close: a toast that appears under a pointer that rests does not always get an event.
 */
function showToast({ text, action, onActionFailed, autoClose, ...data }: ToastContent): void {
  const id = createRandomId()
  let message: HTMLElement | null = null
  let focusBefore: EventTarget | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const isInUse = () => message?.closest(TOAST_SELECTOR)?.matches(':hover, :active, :focus-within') === true
  const startTimer = (delayMs: number) => {
    timer = setTimeout(() => {
      if (isInUse()) startTimer(delayMs)
      else notifications.hide(id)
    }, delayMs)
  }
  notifications.show({
    ...data,
    id,
    autoClose: false,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <div
        className={classes.message}
        ref={(element) => {
          message = element
        }}
      >
        <span className={classes.text}>{text}</span>
        {action ? (
          <ActionButton
            label={action.label}
            run={async () => {
              // It stays until that has succeeded, so that it can be tried again.
              clearTimeout(timer)
              await action.run().then(() => notifications.hide(id), onActionFailed)
            }}
          />
        ) : null}
      </div>
    ),
    onFocusCapture({ relatedTarget, currentTarget }) {
      if (!currentTarget.contains(relatedTarget)) focusBefore = relatedTarget
    },
    onOpen() {
      if (autoClose !== false) startTimer(autoClose)
    },
    onClose() {
      clearTimeout(timer)
      const hadFocus = message?.closest(TOAST_SELECTOR)?.matches(':focus-within')
      if (hadFocus && focusBefore instanceof HTMLElement) focusBefore.focus()
    },
  })
}

/** Keeps the focus while it runs, which a disabled button would lose. */
function ActionButton({ label, run }: ToastAction) {
  const [isRunning, setIsRunning] = useState(false)
  const start = async () => {
    setIsRunning(true)
    await run()
    setIsRunning(false)
  }
  return (
    <Button
      className={classes.action}
      size="compact-sm"
      variant="light"
      aria-keyshortcuts={TOAST_KEY}
      aria-disabled={isRunning}
      data-action
      onClick={isRunning ? undefined : start}
    >
      {isRunning ? `${label}…` : label}
    </Button>
  )
}
