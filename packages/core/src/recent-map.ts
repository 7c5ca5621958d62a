/**
 * A bounded map that forgets what has long gone unused, at no cost to a look-up: two generations, and what is found in
 * the older one moves to the younger. Holds at least `limit` entries used last, and twice as many at the most.
 */
export class RecentMap<Value> {
  readonly #limit: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): Value | undefined {
    const known = this.#young.get(key)
    if (known !== undefined) return known
    const older = this.#old.get(key)
    if (older !== undefined) {
      this.#old.delete(key)
      this.set(key, older)
    }
    return older
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#limit && !this.#young.has(key)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const generation of [this.#young, this.#old]) {
      for (const [key, value] of generation) if (matches(value)) generation.delete(key)
    }
  }
}
