import { type QueryKey, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'

/** One page of a list. */
export interface ListPage {
  readonly nextCursor: string | null
}

/** A paged list. */
export type Pages<Page extends ListPage> = UseInfiniteQueryResult<{ readonly pages: readonly Page[] }>

/**
 * Reads a list page by page with cursors.
 * @param fetchPage fetches one page; without a cursor, the first
 * @example usePages([workspaceId, 'departments', filters], (cursor) => unwrap(api.GET('/api/departments', { params: { query: { workspaceId, ...cursor } } })))
 */
export function usePages<Page extends ListPage>(
  queryKey: QueryKey,
  fetchPage: (cursor: { readonly cursor?: string }) => Promise<Page>,
): Pages<Page> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam === null ? {} : { cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  })
}
