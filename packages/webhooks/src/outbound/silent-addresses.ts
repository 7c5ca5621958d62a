import { MINUTE_MS, type Ports } from '@reeve/core'

/** How long an address that did not answer comes after the others of its host. */
const SILENT_MS = 10 * MINUTE_MS

/** IP addresses that did not answer in time, such as those of IPv6 where the network drops its packets. */
export interface SilentAddresses {
  readonly add: (ip: string) => void
  /** @returns the addresses in their order, with the silent ones last */
  readonly sortLast: (ips: readonly string[]) => readonly string[]
}

/** Remembers only what timed out within the last minutes, so it stays small. */
export function createSilentAddresses({ now }: Pick<Ports, 'now'>): SilentAddresses {
  const silentUntil = new Map<string, number>()
  return {
    add(ip) {
      for (const [other, until] of silentUntil) if (until <= now()) silentUntil.delete(other)
      silentUntil.set(ip, now() + SILENT_MS)
    },
    sortLast(ips) {
      const isSilent = (ip: string) => (silentUntil.get(ip) ?? 0) > now()
      return [...ips.filter((ip) => !isSilent(ip)), ...ips.filter(isSilent)]
    },
  }
}
