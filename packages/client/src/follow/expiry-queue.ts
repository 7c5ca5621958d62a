/** A time at which something may expire. */
interface Entry<Item> {
  readonly time: number
  readonly item: Item
}

/** Items by the time at which they expire: a binary heap. An item that no longer matters stays in it until then. */
export class ExpiryQueue<Item> {
  readonly #entries: Entry<Item>[] = []

  /** When the first item expires; null if there is none. */
  get nextTime(): number | null {
    return this.#entries[0]?.time ?? null
  }

  add(time: number, item: Item): void {
    const entries = this.#entries
    let index = entries.push({ time, item }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (this.#getTime(parent) <= time) break
      this.#swap(index, parent)
      index = parent
    }
  }

  /** Removes and returns the items that have expired at a time. */
  *takeUntil(time: number): Generator<Item> {
    while (this.nextTime !== null && this.nextTime <= time) {
      const first = this.#entries[0] as Entry<Item>
      const last = this.#entries.pop() as Entry<Item>
      if (this.#entries.length > 0) {
        this.#entries[0] = last
        this.#sink()
      }
      yield first.item
    }
  }

  #sink(): void {
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const smaller = this.#getTime(left + 1) < this.#getTime(left) ? left + 1 : left
      if (this.#getTime(index) <= this.#getTime(smaller)) return
      this.#swap(index, smaller)
      index = smaller
    }
  }

  #getTime(index: number): number {
    return this.#entries[index]?.time ?? Number.POSITIVE_INFINITY
  }

  #swap(one: number, other: number): void {
    const entries = this.#entries
    const moved = entries[one] as Entry<Item>
    entries[one] = entries[other] as Entry<Item>
    entries[other] = moved
  }
}
