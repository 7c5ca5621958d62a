import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './dialog-footer.module.css'

interface Props {
  /** What belongs to the buttons and must be as visible as they are, such as an error message. */
  readonly note?: ReactNode
  /** The buttons. */
  readonly children: ReactNode
}

/** The buttons at the end of a dialog. They stay visible while its content scrolls, except with large text. */
export const DialogFooter = ({ note, children }: Props) => (
  <div className={classes.footer} data-dialog-footer>
    {note}
    <Group justify="flex-end" gap="sm">
      {children}
    </Group>
  </div>
)
