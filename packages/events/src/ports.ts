import type { Ports, wire } from '@reeve/core'

/** What the services of this package ask of the outside. */
export interface EventPorts extends Ports {
  /** Reads and writes the addresses of images, which name the instance's own address. */
  readonly imageUrlCodec: wire.Codec<string>
}
