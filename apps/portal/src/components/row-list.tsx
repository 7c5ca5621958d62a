import type { ReactNode } from 'react'
import classes from './data-list.module.css'

interface Props<Row> {
  /** The accessible name of the list. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly children: (row: Row) => ReactNode
}

/** A list without paging that looks like `DataList`. */
export const RowList = <Row,>({ label, rows, rowKey, children }: Props<Row>) => (
  <ul className={classes.list} aria-label={label}>
    {rows.map((row) => (
      <li key={rowKey(row)}>{children(row)}</li>
    ))}
  </ul>
)
