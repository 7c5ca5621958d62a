/** Start and end in the same unit, such as minutes. */
export interface TimeSpan {
  readonly start: number
  readonly end: number
}

/** The lane of a span among overlapping ones, and the number of lanes. */
export interface Lane {
  readonly lane: number
  readonly lanes: number
}

/** Places overlapping spans side by side. @returns a lane for each span, in input order */
export function assignLanes(spans: readonly TimeSpan[]): readonly Lane[] {
  const order = spans
    .map((_, index) => index)
    .sort((a, b) => getStart(spans, a) - getStart(spans, b) || a - b)
  const assigned: Lane[] = spans.map(() => ({ lane: 0, lanes: 1 }))
  /** The end of the last span in each lane. */
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
