import { loadOnOpen } from './load-on-open.tsx'
import type { ModalDialogProps } from './modal.tsx'

const loadDialog = () => import('./modal.tsx')

/** Loads the code of dialogs before the first one. */
export const preloadDialogs = (): void => void loadDialog().catch(() => null)

/** A modal dialog. One with input sets `closeOnClickOutside={false}`, so that a stray click does not close it. */
export const Dialog = loadOnOpen<ModalDialogProps>(
  async () => (await loadDialog()).ModalDialog,
  ({ opened }) => opened,
  ({ onClose }) => onClose(),
)
