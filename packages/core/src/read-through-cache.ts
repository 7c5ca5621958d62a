import QuickLRU from 'quick-lru'

/**
 * A bounded LRU cache in front of an asynchronous lookup. A cached value is returned without a promise, and a lookup that
 * was in flight during an invalidation is not cached.
 */
export class ReadThroughCache<Value> {
  readonly #entries: QuickLRU<string, Value>
  /** Incremented by every invalidation. */
  #generation = 0

  /** @param maxEntries the cache keeps at least the most recently used ones, and up to twice as many */
  constructor(maxEntries: number) {
    this.#entries = new QuickLRU({ maxSize: maxEntries })
  }

  /** The cached value, or the result of `load`, which is cached unless it is undefined. */
  get(key: string, load: (key: string) => Promise<Value | undefined>): Value | Promise<Value | undefined> {
    return this.#entries.get(key) ?? this.#load(key, load)
  }

  invalidate(key: string): void {
    this.#generation += 1
    this.#entries.delete(key)
  }

  invalidateAll(): void {
    this.#generation += 1
    this.#entries.clear()
  }

  invalidateWhere(matches: (value: Value) => boolean): void {
    this.#generation += 1
    for (const [key, value] of [...this.#entries.entriesAscending()])
      if (matches(value)) this.#entries.delete(key)
  }

  async #load(key: string, load: (key: string) => Promise<Value | undefined>): Promise<Value | undefined> {
    const generation = this.#generation
    const value = await load(key)
    if (value !== undefined && generation === this.#generation) this.#entries.set(key, value)
    return value
  }
}
