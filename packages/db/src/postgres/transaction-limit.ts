import { MINUTE_MS } from '@reeve/core'

/** How many transactions run at once while lookups are slow. */
const MIN_TRANSACTIONS = 2
/** Lookups that are compared together. */
const WINDOW = 16
/** Lookups are slow if they take this many times as long as the fastest window, and fast below the second factor. */
const SLOW_FACTOR = 3
const FAST_FACTOR = 2
/** How much slower the fastest window counts after a minute, so that a slower network is accepted in time. */
const FORGET_PER_MINUTE = 1.01
/** Without lookups for this long, nobody waits for one. */
const QUIET_MS = 1000

/** How many transactions may run at once. */
export interface TransactionLimit {
  /** Counts a lookup. @param durationMs from sending it to its result */
  readonly observe: (durationMs: number) => void
  readonly get: () => number
}

/**
 * Lets fewer transactions run at once while they slow down lookups, such as ban checks: processes of the server that write for many
 * transactions, and this process, take the processors from them. Measured in docs/performance-notes.md, "PostgreSQL".
 * @param max while lookups are fast @param now a clock in milliseconds
 */
export function createTransactionLimit(
  max: number,
  now: () => number = () => performance.now(),
): TransactionLimit {
  let limit = max
  let count = 0
  let sum = 0
  let fastest = Number.POSITIVE_INFINITY
  let lastWindowAt = now()
  let lastLookupAt = Number.NEGATIVE_INFINITY

  function compare(average: number, at: number): void {
    fastest = Math.min(average, fastest * FORGET_PER_MINUTE ** ((at - lastWindowAt) / MINUTE_MS))
    lastWindowAt = at
    if (average > SLOW_FACTOR * fastest) limit = Math.max(MIN_TRANSACTIONS, limit - 1)
    else if (average < FAST_FACTOR * fastest) limit = Math.min(max, limit + 1)
  }

  return {
    observe(durationMs) {
      lastLookupAt = now()
      sum += durationMs
      count += 1
      if (count < WINDOW) return
      compare(sum / WINDOW, lastLookupAt)
      sum = 0
      count = 0
    },
    get: () => (now() - lastLookupAt > QUIET_MS ? max : limit),
  }
}
