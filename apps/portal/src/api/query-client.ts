import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** The key of the signed-in user. */
export const ME_KEY = ['me'] as const

const MAX_RETRIES = 2

/** Its invalidations also reach queries that run for the first time: the library would let these finish with data from before the change. */
class InvalidatingQueryClient extends QueryClient {
  /** The queries that are repeated once they have finished. */
  readonly #repeats = new WeakMap<Query, Promise<void>>()
  /** The queries on the screen that are refetched because the user has changed something. */
  readonly #expected = new WeakSet<Query>()

  /** Refetches what the user has changed. */
  override async invalidateQueries<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, type: 'active' }))
      this.#expected.add(query)
    await this.#invalidate(filters, options)
  }

  /** Refetches what may have changed elsewhere. */
  async invalidateForOthers<Key extends QueryKey>(filters: InvalidateQueryFilters<Key>): Promise<void> {
    await this.#invalidate(filters)
  }

  /** Whether the user expects what a query has just read, because they have changed it. To be called once for each result. */
  takeExpected(query: Query): boolean {
    return this.#expected.delete(query)
  }

  async #invalidate<Key extends QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstRuns = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const repeats = firstRuns.map((query) => {
      const repeat = this.#repeats.get(query) ?? this.#repeat(query)
      this.#repeats.set(query, repeat)
      return repeat
    })
    await Promise.all([super.invalidateQueries(filters, options), ...repeats])
  }

  /** Not at once: if changes followed each other fast, no run would ever finish. */
  async #repeat(query: Query): Promise<void> {
    const isSuccess = await query.fetch().then(
      () => true,
      () => false,
    )
    this.#repeats.delete(query)
    if (isSuccess) await this.#invalidate({ queryKey: query.queryKey, exact: true })
  }
}

/**
 * The cache of server data. The query keys of a workspace start with `[workspaceId, resource]`, where `resource` is one of
 * `liveResources`, so that a change elsewhere refetches only that resource.
 */
export const queryClient = new InvalidatingQueryClient({
  defaultOptions: {
    queries: {
      // Fail when offline instead of pausing silently.
      networkMode: 'always',
      staleTime: 30_000,
      retry: (failureCount, error) =>
        failureCount < MAX_RETRIES && error instanceof ApiError && error.isRetryable && navigator.onLine,
      retryDelay: (failureCount) => 400 * 2 ** failureCount,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
