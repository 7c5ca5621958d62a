import type { ReactNode } from 'react'

/** What a list of rows shows. */
export interface ListProps<Row> {
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly children: (row: Row) => ReactNode
  /** The accessible name of the list. */
  readonly label: string
  readonly className: string | undefined
  /** Whether there are rows that have not been loaded. */
  readonly hasMore: boolean
}
