import { type IpRange, isInRanges, normalizeIp } from './ip-address.ts'

/** The reverse proxies whose headers are believed: their IP addresses, or how many there are between clients and Reeve. */
export type TrustedProxies = readonly IpRange[] | number

/** Headers by which proxies describe the client. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip'] as const

/** Whether the headers of a request from this IP address are believed. With a number of proxies, every request comes through them. */
const isTrustedProxy = (peerIp: string, trusted: TrustedProxies): boolean =>
  typeof trusted === 'number' || (trusted.length > 0 && isInRanges(peerIp, trusted))

/**
 * The client's IP address: that of the peer, unless it is a trusted proxy. Then the last one in `X-Forwarded-For` that is not a
 * trusted proxy, or the one that the outermost of a number of proxies has added.
 * @param peer the IP address of the connection
 * @param forwardedFor the `X-Forwarded-For` header; if it has too few IP addresses, or another text before it ends, the peer's is returned
 */
export function resolveClientIp(peer: string, forwardedFor: string | null, trusted: TrustedProxies): string {
  // Only IPv6 text needs normalizing: it may be an IPv4-mapped address.
  const peerIp = peer.includes(':') ? (normalizeIp(peer) ?? peer) : peer
  if (forwardedFor === null || !isTrustedProxy(peerIp, trusted)) return peerIp
  const hops = forwardedFor.split(',').map((hop) => hop.trim())
  if (typeof trusted === 'number') return parseHop(hops.at(-trusted) ?? '') ?? peerIp
  for (const hop of hops.reverse()) {
    const ip = parseHop(hop)
    if (ip === null) return peerIp
    if (!isInRanges(ip, trusted)) return ip
  }
  return peerIp
}

/** The IP address of an entry, to which some proxies add the port: `203.0.113.7:51324`, `[2001:db8::1]:443`. */
function parseHop(hop: string): string | null {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return normalizeIp(bracketed ?? ipv4 ?? hop)
}

/** The first header by which a proxy that is not trusted describes the client; null without one. */
export const findUntrustedHeader = (
  peerIp: string,
  headers: Headers,
  trusted: TrustedProxies,
): string | null => {
  const header = FORWARDING_HEADERS.find((name) => headers.has(name))
  return header === undefined || isTrustedProxy(peerIp, trusted) ? null : header
}

/** Whether the client's connection is encrypted, as far as a trusted proxy says so in `X-Forwarded-Proto`. */
export function isForwardedHttps(peerIp: string, headers: Headers, trusted: TrustedProxies): boolean {
  const protocol = headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase()
  return protocol === 'https' && isTrustedProxy(peerIp, trusted)
}
