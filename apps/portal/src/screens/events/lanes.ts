/** What takes a while. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Where something stands among those that go on at the same time: in which lane, and of how many. */
export interface Lane {
  readonly lane: number
  readonly lanes: number
}

/** Puts what goes on at the same time side by side. @returns a place for each, in the order given */
export function lanesOf(spans: readonly Span[]): readonly Lane[] {
  const order = spans.map((_, index) => index).sort((a, b) => startAt(spans, a) - startAt(spans, b) || a - b)
  const places: Lane[] = spans.map(() => ({ lane: 0, lanes: 1 }))
  /** When the last of each lane ends. */
  let ends: number[] = []
  let together: { readonly index: number; readonly lane: number }[] = []
  const settle = () => {
    for (const { index, lane } of together) places[index] = { lane, lanes: ends.length }
    ends = []
    together = []
  }
  for (const index of order) {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    if (ends.every((one) => one <= start)) settle()
    const free = ends.findIndex((one) => one <= start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = end
    together.push({ index, lane })
  }
  settle()
  return places
}

const startAt = (spans: readonly Span[], index: number): number => spans[index]?.start ?? 0
