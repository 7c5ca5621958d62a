import { wire } from '@reeve/core'
import ipaddr from 'ipaddr.js'

type IpAddress = ReturnType<typeof ipaddr.process>

export type IpRange = readonly [IpAddress, number]

/**
 * A network address. IPv4 written as IPv6 counts as what it is; IPv4 in octal, hexadecimal or fewer than four parts is
 * refused, because people and programs disagree on what it means.
 */
function parseIp(text: string): IpAddress | null {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

const getBitLength = (ip: IpAddress): number => (ip.kind() === 'ipv4' ? 32 : 128)

/** The first address of the network of that many bits around an address. */
function maskIp(ip: IpAddress, bits: number): IpAddress {
  const bytes = ip.toByteArray().map((byte, index) => {
    const networkBits = Math.max(0, Math.min(8, bits - index * 8))
    return byte & (0xff00 >> networkBits) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}

/**
 * Reads a network address or CIDR range; bits beyond its length are dropped, as everyone who reads it does.
 * @returns null where it is neither
 */
export function parseIpRange(text: string): IpRange | null {
  const [ip = '', length, extra] = text.split('/')
  if (extra !== undefined || ip.includes('%')) return null
  const parsed = parseIp(ip)
  if (!parsed) return null
  const maxBits = getBitLength(parsed)
  if (length === undefined) return [parsed, maxBits]
  if (!/^\d{1,3}$/.test(length)) return null
  // IPv4 written as IPv6 has its 96 bits of prefix in the length too.
  const bits = Number(length) - (ip.includes(':') && maxBits === 32 ? 96 : 0)
  return bits >= 0 && bits <= maxBits ? [maskIp(parsed, bits), bits] : null
}

/** A range as it is shown: a single address bare, a network with its length. */
export const formatIpRange = ([base, bits]: IpRange): string =>
  bits === getBitLength(base) ? base.toString() : `${base.toString()}/${bits}`

/** Whether an address lies in one of the ranges. */
export function isInRanges(ip: string, ranges: readonly IpRange[]): boolean {
  const parsed = parseIp(ip)
  if (!parsed) return false
  return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never))
}

/**
 * The address of whoever is calling: the peer's own, or, where the peer is a trusted proxy, the last one in
 * `X-Forwarded-For` that no trusted proxy wrote.
 */
export function resolveClientIp(
  peer: string,
  forwardedFor: string | null,
  trusted: readonly IpRange[],
): string {
  // The system writes IPv4 in one form only; IPv6 may hold an IPv4 address.
  const peerIp = peer.includes(':') ? (parseIp(peer)?.toString() ?? peer) : peer
  if (trusted.length === 0 || forwardedFor === null || !isInRanges(peerIp, trusted)) return peerIp
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  for (const hop of hops.reverse()) {
    const ip = parseIp(hop)?.toString()
    if (ip === undefined) return peerIp
    if (!isInRanges(ip, trusted)) return ip
  }
  return peerIp
}

/** IPv6 gives every household a network of this length: counting its addresses one by one counts nothing. */
const IPV6_NETWORK_BITS = 64

/** What is counted as one address where guesses are: an IPv4 address, or an IPv6 network. */
export function toIpNetwork(ip: string): string {
  const parsed = parseIp(ip)
  if (!parsed || parsed.kind() === 'ipv4') return ip
  return formatIpRange([maskIp(parsed, IPV6_NETWORK_BITS), IPV6_NETWORK_BITS])
}

const MAX_RANGES = 50

/** Where an API key may be used from; null is everywhere. */
export const ipRanges: wire.Codec<readonly string[] | null> = {
  read(text) {
    const parts = text.split(/[\s,]+/).filter((part) => part !== '')
    if (parts.length > MAX_RANGES) throw new wire.WireError(`must be at most ${MAX_RANGES} addresses`)
    const ranges = parts.map((part) => {
      const range = parseIpRange(part)
      if (range) return formatIpRange(range)
      const excerpt = part.isWellFormed() ? part.slice(0, 50) : 'one of them'
      throw new wire.WireError(
        `must be addresses or CIDR ranges such as 203.0.113.0/24; ${excerpt} is neither`,
      )
    })
    return ranges.length === 0 ? null : [...new Set(ranges)]
  },
  write: (ranges) => (ranges ?? []).join(', '),
  description: `Up to ${MAX_RANGES} network addresses or CIDR ranges, separated by commas or lines; empty allows every address`,
  example: '203.0.113.7, 2001:db8::/48',
}
