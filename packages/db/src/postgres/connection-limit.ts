/** For so long no connection must have been refused before a refusal is reported again. */
const QUIET_MS = 10 * 60_000

/** Reports that the server refuses connections because of a limit. */
export interface LimitReport {
  /** Reports a refusal, unless others have been reported before it without a long pause. */
  readonly report: () => void
  /** The number of open connections for requests. */
  readonly countOpen: () => number
  /** @returns unsubscribes */
  readonly subscribe: (listener: (open: number) => void) => () => void
}

/** @param countOpen counts the open connections for requests */
export function createLimitReport(countOpen: () => number): LimitReport {
  const listeners = new Set<(open: number) => void>()
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    report() {
      const now = performance.now()
      const isFirst = now - lastAt > QUIET_MS
      lastAt = now
      if (isFirst) for (const listener of listeners) listener(countOpen())
    },
    countOpen,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
