import { LruCache } from './lru-cache.ts'

/** A bounded memory of look-ups by key: what has long gone unused goes first, and `forget` holds at once. */
export class ReadThroughCache<Value> {
  readonly #entries: LruCache<Value>
  /** Moves with every `forget`, so that a look-up that began before it is not remembered after it. */
  #generation = 0

  constructor(maxEntries: number) {
    this.#entries = new LruCache(maxEntries)
  }

  /** The remembered value, or what `load` finds; an absent one (undefined) is not remembered. */
  get(key: string, load: () => Promise<Value | undefined>): Value | Promise<Value | undefined> {
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
    this.#entries.deleteWhere(matches)
  }

  async #load(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const generation = this.#generation
    const value = await load()
    if (value !== undefined && generation === this.#generation) this.#entries.set(key, value)
    return value
  }
}
