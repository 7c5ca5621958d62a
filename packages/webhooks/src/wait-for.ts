/**
 * Resolves when the promise does, after some time in milliseconds, or when the signal is aborted. Leaves nothing behind on the signal, which
 * outlives all waits.
 */
export async function waitFor(promise: Promise<void>, delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const stopWaiting = () => resolve()
  const timer = setTimeout(stopWaiting, delayMs)
  signal?.addEventListener('abort', stopWaiting)
  // A signal that is aborted already has no event any more.
  if (signal?.aborted) stopWaiting()
  await Promise.race([promise, ended])
  clearTimeout(timer)
  signal?.removeEventListener('abort', stopWaiting)
}
