import { IconCheck, IconExclamationMark } from '@tabler/icons-react'
import { getErrorMessage, hasErrorCode } from '../api/error.ts'
import { createDeferredQueue } from './deferred-queue.tsx'
import { TOAST_SELECTOR, type ToastAction, type ToastContent } from './toast-content.ts'

const SUCCESS_MS = 5000
/** Long enough to read the message, notice a mistake and click Undo. */
const UNDO_MS = 12_000

const queue = createDeferredQueue<ToastContent>(
  async () => (await import('./toast-stack.tsx')).ToastStack,
  () => null,
)

/** Shows the toasts. */
export const Toasts = queue.Outlet

/** Loads the code of toasts before the first one. */
export const preloadToasts = queue.preload

/** Focuses the button of the newest toast, or else its close button. */
export function focusNewestToast(): void {
  const newest = [...document.querySelectorAll(TOAST_SELECTOR)].at(-1)
  const button = newest?.querySelector<HTMLElement>('[data-action]') ?? newest?.querySelector('button')
  button?.focus()
}

/** Confirms an action in a toast, with an optional undo button. */
export function notifySuccess(text: string, undo?: ToastAction): void {
  const icon = <IconCheck size={16} aria-hidden />
  queue.push({
    text,
    action: undo,
    icon,
    color: 'green',
    autoClose: undo ? UNDO_MS : SUCCESS_MS,
    onActionFailed: notifyError,
  })
}

/** Shows an error in a toast, where there is no form or dialog to show it. */
export function notifyError(error: unknown): void {
  const icon = <IconExclamationMark size={16} aria-hidden />
  queue.push({
    text: getErrorMessage(error),
    action: hasErrorCode(error, 'updated')
      ? { label: 'Reload', run: async () => location.reload() }
      : undefined,
    icon,
    color: 'red',
    autoClose: false,
    role: 'alert',
    onActionFailed: notifyError,
  })
}
