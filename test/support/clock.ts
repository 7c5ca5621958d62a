import type { Ports } from '@reeve/core'

/** A clock that a test moves. It starts at a whole minute of the present and stands still. */
export interface Clock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

export function movableClock(): Clock {
  let at = Math.floor(Date.now() / 60_000) * 60_000
  return {
    now: () => at,
    advance: (ms) => {
      at += ms
    },
  }
}

/** Real ids and randomness on a clock that a test moves. */
export const portsOn = (clock: Clock): Ports => ({
  now: clock.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
})
