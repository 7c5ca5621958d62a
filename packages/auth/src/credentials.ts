import { forbidden, type Ports, unauthorized } from '@reeve/core'
import type { Database } from '@reeve/db'
import { isWithin } from './address.ts'
import type { ApiKeys, KnownKey } from './api-key.ts'
import { identifySession, type KnownSession } from './session.ts'

/** Who a request's credentials say is calling. */
export type Caller =
  | { readonly kind: 'api_key'; readonly key: KnownKey }
  | { readonly kind: 'account'; readonly session: KnownSession }

/** The parts of a request that say who is calling. */
export interface Credentials {
  readonly authorization: string | null
  readonly sessionToken: string | undefined
  readonly address: string
}

export interface Identification {
  readonly db: Database
  readonly ports: Ports
  readonly keys: ApiKeys
}

/**
 * Finds out who is calling. A bearer header wins over a cookie, and a malformed one never falls back to it.
 * @throws AppError `unauthorized`, or `forbidden` with `address_not_allowed`
 */
export async function identify(from: Identification, credentials: Credentials): Promise<Caller> {
  if (credentials.authorization !== null) {
    const credential = /^Bearer +(\S+)$/i.exec(credentials.authorization)?.[1]
    const key = await from.keys.identify(credential ?? '')
    if (key.ranges && !isWithin(credentials.address, key.ranges)) throw forbidden('address_not_allowed')
    from.keys.used(key, credentials.address)
    return { kind: 'api_key', key }
  }
  if (!credentials.sessionToken) throw unauthorized('missing_credentials')
  return { kind: 'account', session: await identifySession(from.db, from.ports, credentials.sessionToken) }
}

/**
 * Whether a browser sent this from the portal itself: other sites can make it send cookies too.
 * @throws AppError `forbidden` with `cross_site_request`
 */
export function needSameSite(headers: Headers, publicUrl: URL): void {
  if (!isSameSite(headers, publicUrl)) throw forbidden('cross_site_request')
}

/**
 * Whether no other site sent this, where there is no cookie to protect: a program that says nothing of a site may.
 * @throws AppError `forbidden` with `cross_site_request`
 */
export function needNoOtherSite(headers: Headers, publicUrl: URL): void {
  const says = headers.has('sec-fetch-site') || headers.has('origin')
  if (says) needSameSite(headers, publicUrl)
}

function isSameSite(headers: Headers, publicUrl: URL): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === null) return headers.get('origin') === publicUrl.origin
  return site === 'same-origin' || site === 'none'
}
