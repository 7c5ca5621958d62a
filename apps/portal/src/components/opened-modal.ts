import type { ModalSettings } from '@mantine/modals'
import type { ReactNode } from 'react'

/** A dialog that a function opens. */
export interface OpenedModal extends Pick<ModalSettings, 'title' | 'closeOnClickOutside'> {
  readonly render: (close: () => void) => ReactNode
}
