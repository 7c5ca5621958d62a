import type { Query } from '@tanstack/react-query'
import { getNow } from '../format/clock.ts'
import { getMinWait } from './paced-refetch.ts'

/** The longest delay that `setTimeout` supports. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
/** Extra delay after an expiry, so that the server has processed it. */
const EXPIRY_GRACE_MS = 250
const RETRY_MS = 30_000

/** When what is in force ends; null or undefined if it does not. */
export type ExpiryTimes = readonly (string | null | undefined)[]

/**
 * The `refetchInterval` of a query that shows what is in force: nobody changes anything when that ends.
 * @param listExpiryTimes when each thing ends that is in force in the data
 */
export const refetchAtExpiry =
  <Data>(listExpiryTimes: (data: Data) => ExpiryTimes) =>
  (query: Pick<Query<Data>, 'state'>): number | false => {
    const { data, error } = query.state
    if (data === undefined) return false
    const times = listExpiryTimes(data).flatMap((time) => (time ? [Date.parse(time)] : []))
    if (times.length === 0) return false
    const remaining = Math.min(...times) - getNow() + EXPIRY_GRACE_MS
    // What has ended and is still there: the clock of the server is a little slower, or cannot be reached.
    return Math.min(Math.max(remaining, error === null ? getMinWait(query) : RETRY_MS), MAX_TIMEOUT_MS)
  }
