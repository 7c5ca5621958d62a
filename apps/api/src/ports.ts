import type { Ports } from '@reeve/core'

/** The system clock and the runtime's random source. */
export const realPorts: Ports = {
  now: Date.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
