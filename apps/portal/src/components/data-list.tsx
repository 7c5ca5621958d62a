import { Button, Center } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { Fragment, type ReactNode, useEffect } from 'react'
import type { ListPage, Pages } from '../api/pages.ts'
import classes from './data-list.module.css'
import { ErrorState, LoadingRows } from './empty-error-loading.tsx'

interface Props<Page extends ListPage, Row> {
  readonly pages: Pages<Page>
  /** The rows of one page. */
  readonly rows: (page: Page) => readonly Row[]
  readonly rowKey: (row: Row) => string
  /** One row: the content of a list item or, in a table, a `Table.Tr`. */
  readonly children: (row: Row) => ReactNode
  /** Shown if there are no rows: an `EmptyState`. */
  readonly empty: ReactNode
  /** The accessible name of the list. */
  readonly label: string
  /** Wraps the rows, for example in a `Table.Tbody`. A `ul` by default. */
  readonly renderContainer?: (rows: ReactNode) => ReactNode
}

/** A paged list that loads the next page when its end scrolls into view, or by a button. */
export function DataList<Page extends ListPage, Row>(props: Props<Page, Row>) {
  const { pages, rows, rowKey, children, empty, label, renderContainer } = props
  if (pages.isPending) return <LoadingRows />
  if (pages.isError && !pages.data)
    return <ErrorState error={pages.error} retry={() => void pages.refetch()} />
  const allRows = pages.data?.pages.flatMap(rows) ?? []
  if (allRows.length === 0) return empty
  const list = renderContainer ? (
    renderContainer(allRows.map((row) => <Fragment key={rowKey(row)}>{children(row)}</Fragment>))
  ) : (
    <ul className={classes.list} aria-label={label}>
      {allRows.map((row) => (
        <li key={rowKey(row)}>{children(row)}</li>
      ))}
    </ul>
  )
  return (
    <>
      {list}
      <LoadMore pages={pages} label={label} />
    </>
  )
}

/** The end of a paged list. */
export function LoadMore<Page extends ListPage>({
  pages,
  label,
}: {
  readonly pages: Pages<Page>
  readonly label: string
}) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: '400px' })
  const isVisible = entry?.isIntersecting ?? false
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  useEffect(() => {
    if (isVisible && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isVisible, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  if (isFetchNextPageError) return <ErrorState error={pages.error} retry={() => void fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <>
      <p className="print-only">There are more entries. Load them before printing.</p>
      <Center ref={ref} py="md">
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          aria-label={`Load more: ${label}`}
        >
          Load more
        </Button>
      </Center>
    </>
  )
}
