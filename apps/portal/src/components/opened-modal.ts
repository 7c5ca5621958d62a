import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A dialog that a function opens. */
export interface OpenedModal extends Pick<ModalProps, 'title' | 'closeOnClickOutside'> {
  /** Whether it stays open when another page is shown, because it does not depend on the one that opened it. */
  readonly staysOnNavigation?: true
  readonly render: (close: () => void) => ReactNode
}
