import { Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ListPage, Pages } from '../api/pages.ts'
import { ErrorState } from './empty-error-loading.tsx'
import { useIsNearScreen } from './use-is-near-screen.ts'

interface Props<Page extends ListPage> {
  readonly pages: Pages<Page>
  readonly label: string
  /** How far a search got, from its last page; null if the page is complete. */
  readonly progress?: ((page: Page) => string | null) | undefined
}

/** The end of a paged list. A search continues until the screen is full, unless it is stopped. */
export function LoadMore<Page extends ListPage>({ pages, label, progress }: Props<Page>) {
  const [ref, isNearScreen] = useIsNearScreen<HTMLDivElement>()
  const [isStopped, setIsStopped] = useState(false)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const lastPage = pages.data?.pages.at(-1)
  const searched = lastPage ? (progress?.(lastPage) ?? null) : null
  const isWaiting = searched !== null && isStopped
  useEffect(() => {
    if (isNearScreen && hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isWaiting)
      void fetchNextPage()
  }, [isNearScreen, hasNextPage, isFetchingNextPage, isFetchNextPageError, isWaiting, fetchNextPage])
  if (isFetchNextPageError) return <ErrorState error={pages.error} retry={() => void fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <Group ref={ref} py="md" justify="center" gap="sm">
      <p className="print-only">There are more entries. Load them before printing.</p>
      {searched === null ? (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          aria-label={`Load more: ${label}`}
          // The Tab key continues after what was loaded.
          data-leaves-focus
        >
          Load more
        </Button>
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {searched}
          </Text>
          <Button variant="default" size="sm" onClick={() => setIsStopped(!isStopped)}>
            {isStopped ? 'Continue searching' : 'Stop searching'}
          </Button>
        </>
      )}
    </Group>
  )
}
