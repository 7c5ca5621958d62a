/** What takes a while. */
export interface TimeSpan {
  readonly start: number
  readonly end: number
}

/** Where something stands among those that go on at the same time: in which lane, and of how many. */
export interface Lane {
  readonly lane: number
  readonly lanes: number
}

/** Puts what goes on at the same time side by side. @returns a place for each, in the order given */
export function assignLanes(spans: readonly TimeSpan[]): readonly Lane[] {
  const order = spans
    .map((_, index) => index)
    .sort((a, b) => getStart(spans, a) - getStart(spans, b) || a - b)
  const assigned: Lane[] = spans.map(() => ({ lane: 0, lanes: 1 }))
  /** When the last of each lane ends. */
  let laneEnds: number[] = []
  let group: { readonly index: number; readonly lane: number }[] = []
  const closeGroup = () => {
    for (const { index, lane } of group) assigned[index] = { lane, lanes: laneEnds.length }
    laneEnds = []
    group = []
  }
  for (const index of order) {
    const { start, end } = spans[index] ?? { start: 0, end: 0 }
    if (laneEnds.every((laneEnd) => laneEnd <= start)) closeGroup()
    const freeLane = laneEnds.findIndex((laneEnd) => laneEnd <= start)
    const lane = freeLane === -1 ? laneEnds.length : freeLane
    laneEnds[lane] = end
    group.push({ index, lane })
  }
  closeGroup()
  return assigned
}

const getStart = (spans: readonly TimeSpan[], index: number): number => spans[index]?.start ?? 0
