import { Group } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import classes from './dialog-footer.module.css'
import { useDialogEdges } from './use-dialog-edges.ts'

interface Props {
  /** What belongs to the buttons and must be as visible as they are, such as an error message. */
  readonly note?: ReactNode
  /** The buttons. */
  readonly children: ReactNode
}

/** The buttons at the end of a dialog. They stay visible while its content scrolls, unless they would cover too much of it. */
export function DialogFooter({ note, children }: Props) {
  const footer = useRef<HTMLDivElement>(null)
  useDialogEdges(footer)
  return (
    <div ref={footer} className={classes.footer} data-dialog-footer>
      {note}
      <Group justify="flex-end" gap="sm">
        {children}
      </Group>
    </div>
  )
}
