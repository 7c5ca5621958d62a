import type { ReactNode } from 'react'
import classes from './data-list.module.css'

interface Props<Row> {
  /** The name of the list, for those who hear it. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly children: (row: Row) => ReactNode
}

/** Rows that are all there at once, looking as those that are read page by page do: `DataList`. */
export const RowList = <Row,>({ label, rows, rowKey, children }: Props<Row>) => (
  <ul className={classes.list} aria-label={label}>
    {rows.map((row) => (
      <li key={rowKey(row)}>{children(row)}</li>
    ))}
  </ul>
)
