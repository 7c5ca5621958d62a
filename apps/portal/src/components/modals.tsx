import { createDeferredQueue } from './deferred-queue.tsx'
import type { OpenedModal } from './opened-modal.ts'
import { notifyError } from './toast.tsx'

const queue = createDeferredQueue<OpenedModal>(
  async () => (await import('./modal-stack.tsx')).ModalStack,
  (forget, error) => {
    forget()
    notifyError(error)
  },
)

/** Opens a dialog from a function. */
export const openModal = queue.push

/** Shows the dialogs that functions open. */
export const Modals = queue.Outlet

/** Loads the code of these dialogs before the first one. */
export const preloadModals = queue.preload
