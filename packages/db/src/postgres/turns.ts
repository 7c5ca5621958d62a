/**
 * Lets those who ask for the same key in one after the other, in the order of asking.
 * @returns waits for the turn, and gives what ends it
 */
export function turnsByKey(): (key: string) => Promise<() => void> {
  const last = new Map<string, Promise<void>>()
  return async (key) => {
    const before = last.get(key)
    const { promise, resolve } = Promise.withResolvers<void>()
    last.set(key, promise)
    await before
    return () => {
      if (last.get(key) === promise) last.delete(key)
      resolve()
    }
  }
}
