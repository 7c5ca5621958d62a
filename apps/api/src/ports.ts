import type { Ports } from '@reeve/core'

/** The outside as it is. */
export const realPorts: Ports = {
  now: Date.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}
