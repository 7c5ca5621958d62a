/**
 * A bounded map that forgets what has long gone unused, at no cost to a look-up: two generations, and what is found in
 * the older one moves to the younger. Holds at least `limit` entries used last, and twice as many at the most.
 */
export class LruCache<Value> {
  readonly #maxEntries: number
  #recent = new Map<string, Value>()
  #previous = new Map<string, Value>()

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(key: string): Value | undefined {
    const cached = this.#recent.get(key)
    if (cached !== undefined) return cached
    const promoted = this.#previous.get(key)
    if (promoted !== undefined) {
      this.#previous.delete(key)
      this.set(key, promoted)
    }
    return promoted
  }

  set(key: string, value: Value): void {
    if (this.#recent.size >= this.#maxEntries && !this.#recent.has(key)) {
      this.#previous = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }

  delete(key: string): void {
    this.#recent.delete(key)
    this.#previous.delete(key)
  }

  clear(): void {
    this.#recent = new Map()
    this.#previous = new Map()
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const generation of [this.#recent, this.#previous]) {
      for (const [key, value] of generation) if (matches(value)) generation.delete(key)
    }
  }
}
