import type { Ports } from '@reeve/core'
import { createKeyDeriver } from '@reeve/core/keys'

/** The system clock and the runtime's random source. */
export const systemPorts: Omit<Ports, 'deriveKey'> = {
  now: Date.now,
  newId: () => Bun.randomUUIDv7(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
}

/** The ports of an instance. @param secretKey that of the instance */
export const createPorts = (secretKey: Uint8Array): Ports => ({
  ...systemPorts,
  deriveKey: createKeyDeriver(secretKey),
})
