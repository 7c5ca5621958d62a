import { DEVICE_LIFETIME_MS } from './device.ts'
import { SESSION_ABSOLUTE_MS } from './session.ts'

const SESSION = 'reeve_session'
const DEVICE = 'reeve_device'

/** Over HTTPS, the `__Host-` prefix binds a cookie to the host. */
const getCookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

/**
 * The names under which a cookie is accepted, the preferred one first. With an https public URL only that with the prefix: other hosts of
 * the domain could set the other one. Otherwise, the browser may have got it through a proxy with TLS, or directly.
 */
const listCookieNames = (name: string, publicUrl: URL): readonly string[] =>
  publicUrl.protocol === 'https:' ? [getCookieName(name, true)] : [getCookieName(name, true), name]

/** The name of the session cookie at the public URL. */
export const getSessionCookieName = (publicUrl: URL): string =>
  getCookieName(SESSION, publicUrl.protocol === 'https:')

/** A cookie of a request; null without it. @param name without the prefix */
export function readCookie({ headers }: Request, name: string, publicUrl: URL): string | null {
  const text = headers.get('cookie')
  if (text === null) return null
  const cookies = new Bun.CookieMap(text)
  const presented = listCookieNames(name, publicUrl).find((candidate) => cookies.has(candidate))
  return presented === undefined ? null : cookies.get(presented)
}

/** The token in the session cookie of a request; null without one. */
export const readSessionToken = (request: Request, publicUrl: URL): string | null =>
  readCookie(request, SESSION, publicUrl)

/** The token by which a browser is known to the accounts that have signed in in it; null without one. */
export const readDeviceToken = (request: Request, publicUrl: URL): string | null =>
  readCookie(request, DEVICE, publicUrl)

/** The headers of a response. */
interface ResponseHeaders {
  readonly headers: Record<string, unknown>
}

/**
 * Sends the tokens of a sign-in to the browser.
 * @param isHttps whether its connection is encrypted
 */
export function setSignInCookies(
  response: ResponseHeaders,
  isHttps: boolean,
  tokens: { readonly session: string; readonly device: string },
): void {
  response.headers['set-cookie'] = [
    createCookie(SESSION, tokens.session, SESSION_ABSOLUTE_MS, isHttps),
    createCookie(DEVICE, tokens.device, DEVICE_LIFETIME_MS, isHttps),
  ]
}

/** Removes the session cookie from the browser, which stays known to the account. */
export function clearSessionCookie(response: ResponseHeaders, publicUrl: URL, isHttps: boolean): void {
  const names = isHttps ? listCookieNames(SESSION, publicUrl) : [SESSION]
  response.headers['set-cookie'] = names.map((name) => serializeCookie(name, '', 0, name !== SESSION))
}

/**
 * A cookie that scripts cannot read and other sites cannot use, for the header of a response.
 * @param name without the prefix @param isHttps whether the connection of the browser is encrypted
 */
export const createCookie = (name: string, value: string, lifetimeMs: number, isHttps: boolean): string =>
  serializeCookie(getCookieName(name, isHttps), value, lifetimeMs, isHttps)

const serializeCookie = (name: string, value: string, lifetimeMs: number, isHttps: boolean): string =>
  new Bun.Cookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isHttps,
    maxAge: lifetimeMs / 1000,
  }).serialize()
