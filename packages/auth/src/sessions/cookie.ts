import { cookie } from '@elysiajs/cookie'
import { SESSION_ABSOLUTE_MS } from './session.ts'

/** The name of the session cookie: bound to the host by its prefix wherever the public address is https. */
export const getSessionCookieName = (publicUrl: URL): string =>
  publicUrl.protocol === 'https:' ? '__Host-reeve_session' : 'reeve_session'

/**
 * How the session cookie is set and taken away. The attributes go to the cookie library as plain objects: the types of
 * `@elysiajs/cookie` are written for another release of it.
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

/** `@elysiajs/cookie` derives locally; as `global` it reaches every plugin that uses the gate. */
export const cookiePlugin = () => cookie().as('global')
