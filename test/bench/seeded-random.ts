/** A seeded pseudorandom generator (mulberry32, public domain): the same numbers from the same seed on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An id in the form of a UUIDv7. @param timestamp epoch milliseconds @param row differs between rows */
export function createSeededId(timestamp: number, kind: number, row: number): string {
  const time = timestamp.toString(16).padStart(12, '0')
  const suffix = row.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind.toString(16).padStart(3, '0')}-8000-${suffix}`
}
