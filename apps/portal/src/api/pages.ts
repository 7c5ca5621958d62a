import { type QueryKey, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'

/** One page of any list. */
export interface ListPage {
  readonly nextCursor: string | null
}

/** A list that is read page by page. */
export type Pages<Page extends ListPage> = UseInfiniteQueryResult<{ readonly pages: readonly Page[] }>

/**
 * Reads a list page by page, over its cursors.
 * @param read one page; an absent cursor is the first
 * @example usePages([workspaceId, 'departments', filters], (cursor) => take(api.GET('/api/departments', { params: { query: { workspaceId, ...cursor } } })))
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
