import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { type ExpiryTimes, refetchAtExpiry } from './refetch-at-expiry.ts'

/** One page of a list. */
export interface ListPage {
  readonly nextCursor: string | null
}

/** A paged list. */
export type Pages<Page extends ListPage> = UseInfiniteQueryResult<{ readonly pages: readonly Page[] }>

/**
 * The query of a list that is read page by page with cursors.
 * @param fetchPage fetches one page; without a cursor, the first. If it uses the signal, the request is aborted once nothing
 *   shows the list any more
 * @param options.keepsPrevious whether the list of the previous key stays until the new one is loaded
 * @param options.listExpiryTimes when each thing ends that is in force in a page; then the list is refetched
 * @example pagesQuery([workspaceId, 'departments', filters], (cursor) => unwrap(api.GET('/api/departments', { params: { query: { workspaceId, ...cursor } } })))
 */
export const pagesQuery = <Page extends ListPage>(
  queryKey: QueryKey,
  fetchPage: (
    cursor: { readonly cursor?: string },
    context: { readonly signal: AbortSignal },
  ) => Promise<Page>,
  {
    keepsPrevious = false,
    listExpiryTimes,
  }: { readonly keepsPrevious?: boolean; readonly listExpiryTimes?: (page: Page) => ExpiryTimes } = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: (context) => fetchPage(context.pageParam === null ? {} : { cursor: context.pageParam }, context),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...(listExpiryTimes && {
      refetchInterval: refetchAtExpiry<InfiniteData<Page, string | null>>(({ pages }) =>
        pages.flatMap(listExpiryTimes),
      ),
    }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })

/** Reads a list page by page, with the parameters of `pagesQuery`. */
export const usePages = <Page extends ListPage>(...query: Parameters<typeof pagesQuery<Page>>): Pages<Page> =>
  useInfiniteQuery(pagesQuery(...query))
