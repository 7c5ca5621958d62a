import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../components/dialog.tsx'

export interface EditFormProps<Entry> {
  /** What to edit, or `new`; null while the form is closed. */
  readonly target: Entry | 'new' | null
  readonly close: () => void
}

interface Props<Entry> extends EditFormProps<Entry> {
  /** What it is, such as “ladder”. */
  readonly noun: string
  readonly size?: NonNullable<ModalProps['size']>
  /** The form. @param entry what is edited; null for a new one */
  readonly children: (entry: Entry | null) => ReactNode
}

/** The dialog of a form that creates something with a name, or edits it. */
export const EditDialog = <Entry extends { readonly name: string }>({
  target,
  close,
  noun,
  size,
  children,
}: Props<Entry>) => (
  <Dialog
    opened={target !== null}
    onClose={close}
    title={target === 'new' || target === null ? `New ${noun}` : `Change “${target.name}”`}
    closeOnClickOutside={false}
    {...(size !== undefined && { size })}
  >
    {target === null ? null : children(target === 'new' ? null : target)}
  </Dialog>
)
