/** Loads a value on first use and caches it. A failed load is not cached: the next use tries again. */
export function createCachedLoad<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | null = null
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null
      throw error
    })
    return loaded
  }
}
