import type { Ports } from '@reeve/core'

/** A clock that a test moves: it stands still until then. */
export interface Clock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** @param start epoch milliseconds; a whole minute of the present by default */
export function createTestClock(start = Math.floor(Date.now() / 60_000) * 60_000): Clock {
  let current = start
  return {
    now: () => current,
    advance: (ms) => {
      current += ms
    },
  }
}

/** Real ids and randomness on a clock that a test moves. */
export const createTestPorts = (clock: Clock): Ports => ({
  now: clock.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
})
