import type { ReactNode } from 'react'
import classes from './options-scroll.module.css'

interface Props {
  /** The largest height: a number of pixels at the usual text size, or a length of CSS. */
  readonly mah: number | string
  readonly children: ReactNode
}

/** The options of a `Select` or a `MultiSelect`, with the scrollbar of the browser. */
const ScrollAreaAutosize = ({ mah, children }: Props) => (
  <div className={classes.options} style={{ maxHeight: typeof mah === 'number' ? `${mah / 16}rem` : mah }}>
    {children}
  </div>
)

/** What the build puts in the place of Mantine's `ScrollArea`, which is 5 KB of code that draws scrollbars. */
export const ScrollArea = { Autosize: ScrollAreaAutosize }
