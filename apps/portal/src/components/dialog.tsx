import type { ModalProps } from '@mantine/core'
import { loadOnOpen } from './load-on-open.tsx'

const loadDialog = () => import('./modal.tsx')

/** Loads the code of dialogs before the first one. */
export const preloadDialogs = (): void => void loadDialog().catch(() => null)

/** A modal dialog. One with input sets `closeOnClickOutside={false}`, so that a stray click does not lose it. */
export const Dialog = loadOnOpen<Omit<ModalProps, 'closeButtonProps'>>(
  async () => (await loadDialog()).ModalDialog,
  ({ opened }) => opened,
  ({ onClose }) => onClose(),
)
