import type { Database, DataChange } from '@reeve/db'

/** Resolves when data of a kind changes, at shutdown, or after some milliseconds. */
export function waitForChange(
  db: Database,
  kind: DataChange['kind'],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopListening = db.onChange((change) => {
    if (change.kind === kind) resolve()
  })
  const timer = setTimeout(resolve, timeoutMs)
  const stopWaiting = () => resolve()
  signal.addEventListener('abort', stopWaiting)
  return promise.finally(() => {
    stopListening()
    clearTimeout(timer)
    signal.removeEventListener('abort', stopWaiting)
  })
}
