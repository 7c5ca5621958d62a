import { forbidden } from '@reeve/core'

/**
 * Requires that a browser sent the request from the portal itself (CSRF protection): other sites can make a browser send
 * cookies too. A request without `Sec-Fetch-Site` and `Origin` is refused.
 * @throws AppError `forbidden` (`cross_site_request`)
 */
export function assertSameOrigin(headers: Headers, publicUrl: URL): void {
  if (!isSameOrigin(headers, publicUrl)) throw forbidden('cross_site_request')
}

/**
 * Requires that no other site sent the request. For routes that use no cookie, and for downloads: a program that sends
 * neither `Sec-Fetch-Site` nor `Origin` is accepted, and so is a browser, which sends the former only to https and to localhost.
 * @throws AppError `forbidden` (`cross_site_request`)
 */
export function assertNotCrossSite(headers: Headers, publicUrl: URL): void {
  const hasSiteHeader = headers.has('sec-fetch-site') || headers.has('origin')
  if (hasSiteHeader) assertSameOrigin(headers, publicUrl)
}

function isSameOrigin(headers: Headers, publicUrl: URL): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === null) return headers.get('origin') === publicUrl.origin
  return site === 'same-origin' || site === 'none'
}
