import type { Query, QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { msUntilRefetchAllowed, spendRequests } from './rate-limit.ts'

/** Minimum time between the starts of two refetches of a query. */
const MIN_INTERVAL_MS = 1000
/** Minimum time between two refetches of a list for each of its loaded pages, because all of them are refetched. */
const INTERVAL_PER_PAGE_MS = 250
/** After which time a refetch without a response is sent again. */
const LIMIT_MS = 20_000

/** The refetches of a query because of changes elsewhere. */
interface Pace {
  startedAt: number
  /** Whether a refetch is running or waits for its time. */
  isBusy: boolean
  /** Whether there was a change since the last refetch started. */
  hasChanged: boolean
}

const paces = new WeakMap<Query, Pace>()

/**
 * Refetches what somebody else has changed: at once, but during many changes at most once a second, and less often the more
 * pages of a list are loaded, or while the requests of the session are needed for what the user does. The last change is always
 * shown. What is not on the screen is refetched once it is.
 */
export function refetchPaced(queryKey: QueryKey): void {
  void queryClient.invalidateForOthers({ queryKey, type: 'inactive', refetchType: 'none' })
  for (const query of queryClient.getQueryCache().findAll({ queryKey, type: 'active' })) {
    const pace = paces.get(query) ?? { startedAt: Number.NEGATIVE_INFINITY, isBusy: false, hasChanged: false }
    paces.set(query, pace)
    pace.hasChanged = true
    if (!pace.isBusy) void refetchUntilUnchanged(query, pace)
  }
}

async function refetchUntilUnchanged(query: Query, pace: Pace): Promise<void> {
  pace.isBusy = true
  try {
    while (pace.hasChanged) {
      for (let delay = getDelay(query, pace); delay > 0; delay = getDelay(query, pace)) await wait(delay)
      pace.hasChanged = false
      pace.startedAt = performance.now()
      spendRequests(countPages(query))
      // A refetch is not cancelled by the next change: during many changes, none would ever finish.
      const refetch = queryClient.invalidateForOthers({ queryKey: query.queryKey, exact: true })
      const hasEnded = await Promise.race([refetch.then(() => true), wait(LIMIT_MS).then(() => false)])
      if (!hasEnded) pace.hasChanged = true
    }
  } finally {
    pace.isBusy = false
  }
}

/** In milliseconds; 0 or less if the query can be refetched now. */
const getDelay = (query: Query, { startedAt }: Pace): number =>
  Math.max(startedAt + getMinInterval(query) - performance.now(), getBudgetWait(query))

const getMinInterval = (query: Pick<Query, 'state'>): number =>
  Math.max(MIN_INTERVAL_MS, countPages(query) * INTERVAL_PER_PAGE_MS)

const getBudgetWait = (query: Pick<Query, 'state'>): number =>
  msUntilRefetchAllowed(countPages(query), Date.now())

/** How soon a query is refetched again that the user does not cause, in milliseconds. */
export const getMinWait = (query: Pick<Query, 'state'>): number =>
  Math.max(getMinInterval(query), getBudgetWait(query))

/** The number of loaded pages of a list; 1 for everything else. */
const countPages = ({ state }: Pick<Query, 'state'>): number =>
  (state.data as { readonly pages?: readonly unknown[] } | undefined)?.pages?.length ?? 1

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
