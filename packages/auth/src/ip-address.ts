import { wire } from '@reeve/core'
import ipaddr from 'ipaddr.js'

// Also imported as `@reeve/auth/ip-address`, so that the thread that sends deliveries loads nothing else of this package.

type IpAddress = ReturnType<typeof ipaddr.process>

/** The first IP address of a network, and its prefix length in bits. */
export type IpRange = readonly [IpAddress, number]

/**
 * Parses an IP address. An IPv4-mapped IPv6 address becomes IPv4. IPv4 in octal, in hexadecimal or with fewer than four
 * parts is refused, because programs interpret it differently.
 */
function parseIp(text: string): IpAddress | null {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

/** An IP address in its shortest form, an IPv4-mapped one as IPv4; null for any other text. */
export const normalizeIp = (text: string): string | null => parseIp(text)?.toString() ?? null

const getBitLength = (ip: IpAddress): number => (ip.kind() === 'ipv4' ? 32 : 128)

/** Clears all but the first `bits` bits. */
function maskIp(ip: IpAddress, bits: number): IpAddress {
  const bytes = ip.toByteArray().map((byte, index) => {
    const networkBits = Math.max(0, Math.min(8, bits - index * 8))
    return byte & (0xff00 >> networkBits) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}

/**
 * Parses an IP address or CIDR range. Bits beyond the prefix length are cleared.
 * @returns null if the text is neither
 */
export function parseIpRange(text: string): IpRange | null {
  const [ip = '', length, extra] = text.split('/')
  if (extra !== undefined || ip.includes('%')) return null
  const parsed = parseIp(ip)
  if (!parsed) return null
  const maxBits = getBitLength(parsed)
  if (length === undefined) return [parsed, maxBits]
  if (!/^\d{1,3}$/.test(length)) return null
  // The length of an IPv4-mapped range includes the 96 bits before the IPv4 address.
  const bits = Number(length) - (ip.includes(':') && maxBits === 32 ? 96 : 0)
  return bits >= 0 && bits <= maxBits ? [maskIp(parsed, bits), bits] : null
}

/** Formats a single IP address without a prefix length, a network in CIDR notation. */
export const formatIpRange = ([base, bits]: IpRange): string =>
  bits === getBitLength(base) ? base.toString() : `${base.toString()}/${bits}`

/** Whether an IP address is in one of the ranges; false for text that is not an IP address. */
export function isInRanges(ip: string, ranges: readonly IpRange[]): boolean {
  const parsed = parseIp(ip)
  if (!parsed) return false
  return ranges.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as never))
}

/**
 * The unit that limits count by: an IPv4 address, or the IPv6 network that contains it.
 * @param ipv6Bits the length of the network; a household usually has 64 bits, often 56, and a hosted server can have 48
 */
export function toIpNetwork(ip: string, ipv6Bits: 64 | 56 | 48 = 64): string {
  const parsed = parseIp(ip)
  if (!parsed || parsed.kind() === 'ipv4') return ip
  return formatIpRange([maskIp(parsed, ipv6Bits), ipv6Bits])
}

const MAX_RANGES = 50

/** The IP addresses that an API key may be used from, as a list of addresses and CIDR ranges; null allows all. */
export const ipRanges: wire.Codec<readonly string[] | null> = {
  read(text) {
    const parts = text.split(/[\s,]+/).filter((part) => part !== '')
    // Without this, a list from which every entry is missing would allow every IP address.
    if (parts.length === 0 && text.trim() !== '')
      throw new wire.WireError('must be IP addresses or CIDR ranges; empty allows every IP address')
    if (parts.length > MAX_RANGES)
      throw new wire.WireError(`must be at most ${MAX_RANGES} IP addresses or CIDR ranges`)
    const ranges = parts.map((part) => {
      const range = parseIpRange(part)
      if (range) return formatIpRange(range)
      const excerpt = part.isWellFormed() ? part.slice(0, 50) : 'one entry'
      throw new wire.WireError(
        `must be IP addresses or CIDR ranges such as 203.0.113.0/24; ${excerpt} is neither`,
      )
    })
    return ranges.length === 0 ? null : [...new Set(ranges)]
  },
  write: (ranges) => (ranges ?? []).join(', '),
  description: `Up to ${MAX_RANGES} IP addresses or CIDR ranges, separated by commas, spaces or line breaks; empty allows every IP address`,
  example: '203.0.113.7, 2001:db8::/48',
}
