import { hasErrorCode } from '@reeve/core'
import type { Database, DataChange } from '@reeve/db'
import type { Job } from './scheduler.ts'

/** How soon work is found that no change announces: that of a process that was killed, and what waits for the storage. */
const POLL_MS = 5000

/** How many runs in a row may end with `unavailable` without a failure: those of about a minute. */
const MAX_UNAVAILABLE_RUNS = 11

/**
 * A job of each process that runs as soon as data of a kind changes, and otherwise every few seconds. A run that ends with `unavailable`
 * fails only if those before it did, too: an outage for a moment is no failure of the job.
 * @param run does the work that waits at the moment
 */
export function createChangeJob(
  name: string,
  db: Database,
  kind: DataChange['kind'],
  run: (signal: AbortSignal) => Promise<void>,
): Job {
  let unavailableRuns = 0
  return {
    name,
    intervalMs: POLL_MS,
    runsOn: 'each',
    getDelayMs: () => 0,
    async run(signal) {
      const change = waitForChange(db, kind, signal)
      try {
        await run(signal)
        unavailableRuns = 0
      } catch (error) {
        unavailableRuns = hasErrorCode(error, 'unavailable') ? unavailableRuns + 1 : 0
        // If the storage is not available, the next run tries again.
        if (unavailableRuns === 0 || unavailableRuns > MAX_UNAVAILABLE_RUNS) throw error
      }
      await change
    },
  }
}

/** Resolves when data of a kind changes, at shutdown, or after `POLL_MS`. */
function waitForChange(db: Database, kind: DataChange['kind'], signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopListening = db.onChange((change) => {
    if (change.kind === kind) resolve()
  })
  const timer = setTimeout(resolve, POLL_MS)
  const stopWaiting = () => resolve()
  signal.addEventListener('abort', stopWaiting)
  return promise.finally(() => {
    stopListening()
    clearTimeout(timer)
    signal.removeEventListener('abort', stopWaiting)
  })
}
