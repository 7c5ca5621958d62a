import { cookie } from '@elysiajs/cookie'
import { SESSION_ABSOLUTE_MS } from './session.ts'

/** Over HTTPS, the `__Host-` prefix binds the cookie to the host. */
export const getSessionCookieName = (publicUrl: URL): string =>
  publicUrl.protocol === 'https:' ? '__Host-reeve_session' : 'reeve_session'

/**
 * The name of the session cookie, and the options to set and clear it. The options are plain objects, because the types of
 * `@elysiajs/cookie` are for another release of the cookie library.
 */
export function getSessionCookie(publicUrl: URL): { name: string; setOptions: object; clearOptions: object } {
  const name = getSessionCookieName(publicUrl)
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: publicUrl.protocol === 'https:',
  }
  return {
    name,
    setOptions: { ...attributes, maxAge: SESSION_ABSOLUTE_MS / 1000 },
    clearOptions: { ...attributes, maxAge: 0 },
  }
}

/** `@elysiajs/cookie` derives locally; `global` makes it available in every plugin that uses the gate. */
export const cookiePlugin = () => cookie().as('global')
