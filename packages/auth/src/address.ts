import { wire } from '@reeve/core'
import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.process>

export type AddressRange = readonly [Address, number]

/**
 * A network address. IPv4 written as IPv6 counts as what it is; IPv4 in octal, hexadecimal or fewer than four parts is
 * refused, because people and programs disagree on what it means.
 */
function readAddress(text: string): Address | null {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null
}

const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128)

/** The first address of the network of that many bits around an address. */
function networkAround(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8))
    return byte & (0xff00 >> kept) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}

/**
 * Reads a network address or CIDR range; bits beyond its length are dropped, as everyone who reads it does.
 * @returns null where it is neither
 */
export function readRange(text: string): AddressRange | null {
  const [address = '', length, more] = text.split('/')
  if (more !== undefined || address.includes('%')) return null
  const read = readAddress(address)
  if (!read) return null
  const whole = bitsOf(read)
  if (length === undefined) return [read, whole]
  if (!/^\d{1,3}$/.test(length)) return null
  // IPv4 written as IPv6 has its 96 bits of prefix in the length too.
  const bits = Number(length) - (address.includes(':') && whole === 32 ? 96 : 0)
  return bits >= 0 && bits <= whole ? [networkAround(read, bits), bits] : null
}

/** A range as it is shown: a single address bare, a network with its length. */
export const writeRange = ([base, bits]: AddressRange): string =>
  bits === bitsOf(base) ? base.toString() : `${base.toString()}/${bits}`

/** Whether an address lies in one of the ranges. */
export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  const read = readAddress(address)
  if (!read) return false
  return ranges.some(([base, bits]) => base.kind() === read.kind() && read.match([base, bits] as never))
}

/**
 * The address of whoever is calling: the peer's own, or, where the peer is a trusted proxy, the last one in
 * `X-Forwarded-For` that no trusted proxy wrote.
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: readonly AddressRange[],
): string {
  // The system writes IPv4 in one form only; IPv6 may hold an IPv4 address.
  const own = peer.includes(':') ? (readAddress(peer)?.toString() ?? peer) : peer
  if (trusted.length === 0 || forwardedFor === null || !isWithin(own, trusted)) return own
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  for (const hop of hops.reverse()) {
    const read = readAddress(hop)?.toString()
    if (read === undefined) return own
    if (!isWithin(read, trusted)) return read
  }
  return own
}

/** IPv6 gives every household a network of this length: counting its addresses one by one counts nothing. */
const IPV6_NETWORK = 64

/** What is counted as one address where guesses are: an IPv4 address, or an IPv6 network. */
export function networkOf(address: string): string {
  const read = readAddress(address)
  if (!read || read.kind() === 'ipv4') return address
  return writeRange([networkAround(read, IPV6_NETWORK), IPV6_NETWORK])
}

const MAX_RANGES = 50

/** Where an API key may be used from; null is everywhere. */
export const addressRanges: wire.Codec<readonly string[] | null> = {
  read(text) {
    const given = text.split(/[\s,]+/).filter((part) => part !== '')
    if (given.length > MAX_RANGES) throw new wire.WireError(`must be at most ${MAX_RANGES} addresses`)
    const ranges = given.map((part) => {
      const range = readRange(part)
      if (range) return writeRange(range)
      const named = part.isWellFormed() ? part.slice(0, 50) : 'one of them'
      throw new wire.WireError(`must be addresses or CIDR ranges such as 203.0.113.0/24; ${named} is neither`)
    })
    return ranges.length === 0 ? null : [...new Set(ranges)]
  },
  write: (ranges) => (ranges ?? []).join(', '),
  description: `Up to ${MAX_RANGES} network addresses or CIDR ranges, separated by commas or lines; empty allows every address`,
  example: '203.0.113.7, 2001:db8::/48',
}
