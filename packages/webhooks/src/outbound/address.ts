import { type IpRange, isInRanges } from '@reeve/auth/ip-address'
import { invalidRequest } from '@reeve/core'
import ipaddr from 'ipaddr.js'

/** Which addresses an instance may send to, besides public ones. */
export interface OutboundSettings {
  /** Ranges of a private network that the operator allows. */
  readonly outboundAllow: readonly IpRange[]
}

/** The lowest port without privileges, of those that a receiver on a public address may listen on. */
const FIRST_USER_PORT = 1024

/**
 * Whether a packet to this address leaves for the public internet. Everything that IANA reserves is refused, and also IPv6 forms that contain
 * an IPv4 address, because a translator would send them there.
 */
function isPublicUnicast(ip: string): boolean {
  if (!ipaddr.isValid(ip) || ip.includes('%')) return false
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return true
  // Global unicast is 2000::/3; ipaddr.js also calls unassigned prefixes unicast. Source: IANA IPv6 address space.
  return address.match([ipaddr.parse('2000::'), 3] as never)
}

/** Whether an operator allows an address of a private network. */
export const isAllowedByOperator = ({ outboundAllow }: OutboundSettings, ip: string): boolean =>
  isInRanges(ip, outboundAllow)

/** The address of a URL, without the brackets of IPv6. */
export const toHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The host of a URL is an IP address. */
export const isIpLiteral = (url: URL): boolean => ipaddr.isValid(toHost(url))

/**
 * Why a request to this URL at these addresses is not sent; null if it may be sent. Every address must be allowed, so that it does not
 * matter which of them answers.
 */
export function findAddressProblem(
  settings: OutboundSettings,
  url: URL,
  addresses: readonly string[],
): string | null {
  if (addresses.length === 0) return 'The host name has no IP address.'
  const isPrivate = addresses.every((ip) => isAllowedByOperator(settings, ip))
  if (isPrivate) return null
  const refused = addresses.find((ip) => !isAllowedByOperator(settings, ip) && !isPublicUnicast(ip))
  if (refused !== undefined)
    return `The IP address ${refused} is not public. The operator can allow it with REEVE_OUTBOUND_ALLOW.`
  if (url.protocol !== 'https:') return 'The URL must begin with https: on public addresses.'
  const port = url.port === '' ? 443 : Number(url.port)
  return port === 443 || port >= FIRST_USER_PORT
    ? null
    : `Port ${port} is not allowed: use 443, or one from ${FIRST_USER_PORT}.`
}

/**
 * Rejects a URL that cannot be sent to, as far as that is known without resolving its host.
 * @throws AppError `invalid_request` naming `url`
 */
export function assertAllowedUrl(settings: OutboundSettings, text: string): void {
  const url = new URL(text)
  if (url.protocol !== 'https:' && settings.outboundAllow.length === 0)
    throw invalidRequest({ field: 'url', message: 'must begin with https:' })
  if (!isIpLiteral(url)) return
  if (findAddressProblem(settings, url, [toHost(url)]) !== null)
    throw invalidRequest({
      field: 'url',
      message:
        'must have a public IP address, https, and port 443 or one from 1024; the operator can allow others with REEVE_OUTBOUND_ALLOW',
    })
}
