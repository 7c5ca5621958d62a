import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A dialog that a function opens. */
export interface OpenedModal extends Pick<ModalProps, 'title' | 'closeOnClickOutside'> {
  readonly render: (close: () => void) => ReactNode
}
