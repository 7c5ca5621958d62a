import { SESSION_ABSOLUTE_MS } from './session.ts'

/** Over HTTPS, the `__Host-` prefix binds the cookie to the host. */
export const getSessionCookieName = (publicUrl: URL): string =>
  publicUrl.protocol === 'https:' ? '__Host-reeve_session' : 'reeve_session'

/** The token in the session cookie of a request; null without one. */
export function readSessionToken({ headers }: Request, cookieName: string): string | null {
  const cookies = headers.get('cookie')
  return cookies === null ? null : new Bun.CookieMap(cookies).get(cookieName)
}

/** The headers of a response. */
interface ResponseHeaders {
  readonly headers: Record<string, unknown>
}

/** Sends a session token to the browser. */
export const setSessionCookie = (response: ResponseHeaders, publicUrl: URL, token: string): void =>
  writeSessionCookie(response, publicUrl, token, SESSION_ABSOLUTE_MS / 1000)

/** Removes the session cookie from the browser. */
export const clearSessionCookie = (response: ResponseHeaders, publicUrl: URL): void =>
  writeSessionCookie(response, publicUrl, '', 0)

function writeSessionCookie(
  { headers }: ResponseHeaders,
  publicUrl: URL,
  token: string,
  maxAge: number,
): void {
  headers['set-cookie'] = new Bun.Cookie(getSessionCookieName(publicUrl), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: publicUrl.protocol === 'https:',
    maxAge,
  }).serialize()
}
