import { forbidden } from '@reeve/core'
import type { Settings } from '../settings.ts'

type Address = Pick<Settings, 'publicUrl' | 'hasPublicUrl'>

/**
 * Requires that a browser sent the request from the portal itself (CSRF protection): other sites can make a browser send
 * cookies too. A request without `Sec-Fetch-Site` and `Origin` is refused.
 * @throws AppError `forbidden` (`cross_site_request`)
 */
export function assertSameOrigin(headers: Headers, address: Address): void {
  if (isSameOrigin(headers, address)) return
  throw forbidden('cross_site_request', describeOtherAddress(headers, address.publicUrl))
}

/**
 * Requires that no other site sent the request. For routes that use no cookie, and for downloads: a program that sends
 * neither `Sec-Fetch-Site` nor `Origin` is accepted, and so is a browser, which sends the former only to https and to localhost.
 * @throws AppError `forbidden` (`cross_site_request`)
 */
export function assertNotCrossSite(headers: Headers, address: Address): void {
  const hasSiteHeader = headers.has('sec-fetch-site') || headers.has('origin')
  if (hasSiteHeader) assertSameOrigin(headers, address)
}

function isSameOrigin(headers: Headers, { publicUrl, hasPublicUrl }: Address): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = headers.get('origin')
  // Without REEVE_PUBLIC_URL, the portal is wherever the browser has opened it.
  return origin === publicUrl.origin || (!hasPublicUrl && isPageOfHost(headers, origin))
}

/** Whether a page that the browser has opened over plain http at the host of the request sent it. */
const isPageOfHost = (headers: Headers, origin: string | null): boolean =>
  origin !== null && origin === `http://${headers.get('host')}`

/** For the portal at an address that is not the public one: an IP address, or a name of REEVE_HOSTS. */
function describeOtherAddress(headers: Headers, publicUrl: URL): string | undefined {
  const origin = headers.get('origin')
  if (headers.has('sec-fetch-site') || !isPageOfHost(headers, origin)) return undefined
  return `This page was opened at ${origin}, but the URL of this server is ${publicUrl.origin}: open that. An operator can change it with REEVE_PUBLIC_URL.`
}
