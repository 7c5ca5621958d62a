import { hasErrorCode } from '@reeve/core'
import type { Database, DataChange } from '@reeve/db'
import type { Job } from './scheduler.ts'

/** How soon work is found that no change announces: that of a process that was killed, and what waits for the storage. */
const POLL_MS = 5000

/**
 * A job of each process that runs as soon as data of a kind changes, and otherwise every few seconds.
 * @param run does the work that waits at the moment
 */
export const createChangeJob = (
  name: string,
  db: Database,
  kind: DataChange['kind'],
  run: (signal: AbortSignal) => Promise<void>,
): Job => ({
  name,
  intervalMs: POLL_MS,
  runsOn: 'each',
  getDelayMs: () => 0,
  async run(signal) {
    const change = waitForChange(db, kind, signal)
    try {
      await run(signal)
    } catch (error) {
      // If the storage is not available, the next run tries again.
      if (!hasErrorCode(error, 'unavailable')) throw error
    }
    await change
  },
})

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
