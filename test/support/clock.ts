import type { Ports } from '@reeve/core'
import { createKeyDeriver } from '@reeve/core/keys'
import { secretKeyBytes } from './secret-key.ts'

/** A clock that only a test moves. */
export interface Clock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

/** @param start epoch milliseconds. Default: the current time, rounded down to a minute */
export function createTestClock(start = Math.floor(Date.now() / 60_000) * 60_000): Clock {
  let current = start
  return {
    now: () => current,
    advance: (ms) => {
      current += ms
    },
  }
}

const deriveKey = createKeyDeriver(secretKeyBytes)

/** Real ids and randomness with a test clock and the key of the tests. */
export const createTestPorts = (clock: Clock): Ports => ({
  now: clock.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  deriveKey,
})
