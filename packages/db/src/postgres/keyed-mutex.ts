/**
 * Lets those who ask for the same key in one after the other, in the order of asking.
 * @returns waits for the turn, and gives what ends it
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
