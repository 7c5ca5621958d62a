import { type ReactNode, useDeferredValue } from 'react'
import type { ListPage, Pages } from '../api/pages.ts'
import { isOpeningAtTop } from '../app/first-screen.ts'
import classes from './data-list.module.css'
import { ErrorState, LoadingRows } from './empty-error-loading.tsx'
import { LoadMore } from './load-more.tsx'
import { VirtualList } from './virtual-list.tsx'

interface Props<Page extends ListPage, Row> {
  readonly pages: Pages<Page>
  /** The rows of one page. */
  readonly rows: (page: Page) => readonly Row[]
  readonly rowKey: (row: Row) => string
  /** The content of a list item. */
  readonly children: (row: Row) => ReactNode
  /** Shown if there are no rows: an `EmptyState`. */
  readonly empty: ReactNode
  /** The accessible name of the list. */
  readonly label: string
  /** Replaces the style of the list. */
  readonly className?: string | undefined
  /** Replaces the list, for rows that are not a plain list. */
  readonly renderContainer?: () => ReactNode
  /** How far a search got, from its last page: `Searched back to case 812,000`. */
  readonly progress?: (page: Page) => string | null
}

/** More rows than a phone shows at once. */
const FIRST_ROWS = 15

/** A paged list that loads the next page when its end scrolls into view, or by a button. */
export function DataList<Page extends ListPage, Row>(props: Props<Page, Row>) {
  const { pages, rows, rowKey, children, empty, label, className, renderContainer, progress } = props
  // A slow phone shows the first rows sooner if it renders the others after them.
  const isComplete = useDeferredValue(true, !isOpeningAtTop())
  if (pages.isPending) return <LoadingRows />
  if (pages.isError && !pages.data)
    return <ErrorState error={pages.error} retry={() => void pages.refetch()} />
  const allRows = pages.data?.pages.flatMap(rows) ?? []
  if (allRows.length === 0 && !pages.hasNextPage) return empty
  return (
    <>
      {renderContainer ? (
        renderContainer()
      ) : allRows.length === 0 ? null : (
        <VirtualList
          rows={isComplete ? allRows : allRows.slice(0, FIRST_ROWS)}
          rowKey={rowKey}
          label={label}
          className={className ?? classes.list}
          hasMore={pages.hasNextPage}
        >
          {children}
        </VirtualList>
      )}
      {isComplete ? <LoadMore pages={pages} label={label} progress={progress} /> : null}
    </>
  )
}
