import {
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'

/** One page of a list. */
export interface ListPage {
  readonly nextCursor: string | null
}

/** A paged list. */
export type Pages<Page extends ListPage> = UseInfiniteQueryResult<{ readonly pages: readonly Page[] }>

/**
 * Reads a list page by page with cursors.
 * @param fetchPage fetches one page; without a cursor, the first. If it uses the signal, the request is aborted once nothing
 *   shows the list any more
 * @param options.keepsPrevious whether the list of the previous key stays until the new one is loaded
 * @example usePages([workspaceId, 'departments', filters], (cursor) => unwrap(api.GET('/api/departments', { params: { query: { workspaceId, ...cursor } } })))
 */
export function usePages<Page extends ListPage>(
  queryKey: QueryKey,
  fetchPage: (
    cursor: { readonly cursor?: string },
    context: { readonly signal: AbortSignal },
  ) => Promise<Page>,
  { keepsPrevious = false }: { readonly keepsPrevious?: boolean } = {},
): Pages<Page> {
  return useInfiniteQuery({
    queryKey,
    queryFn: (context) => fetchPage(context.pageParam === null ? {} : { cursor: context.pageParam }, context),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}
