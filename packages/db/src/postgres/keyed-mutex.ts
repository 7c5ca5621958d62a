/**
 * Creates a mutex per key, first come, first served. Written here because `async-mutex` and `p-limit` have no keys, and a map
 * of theirs would need the same bookkeeping.
 * @returns waits for the mutex of a key, and resolves with its release function
 */
export function createKeyedMutex(): (key: string) => Promise<() => void> {
  const tails = new Map<string, Promise<void>>()
  return async (key) => {
    const previous = tails.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    tails.set(key, promise)
    await previous
    return () => {
      if (tails.get(key) === promise) tails.delete(key)
      resolve()
    }
  }
}
