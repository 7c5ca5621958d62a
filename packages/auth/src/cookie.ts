import { cookie } from '@elysiajs/cookie'
import { SESSION_ABSOLUTE_MS } from './session.ts'

/** The name of the session cookie: bound to the host by its prefix wherever the public address is https. */
export const sessionCookieName = (publicUrl: URL): string =>
  publicUrl.protocol === 'https:' ? '__Host-reeve_session' : 'reeve_session'

/**
 * How the session cookie is set and taken away. The attributes go to the cookie library as plain objects: the types of
 * `@elysiajs/cookie` are written for another release of it.
 */
export function sessionCookie(publicUrl: URL): { name: string; keeping: object; clearing: object } {
  const name = sessionCookieName(publicUrl)
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: publicUrl.protocol === 'https:',
  }
  return {
    name,
    keeping: { ...attributes, maxAge: SESSION_ABSOLUTE_MS / 1000 },
    clearing: { ...attributes, maxAge: 0 },
  }
}

/** `@elysiajs/cookie` derives locally; as `global` it reaches every plugin that uses the gate. */
export const cookies = () => cookie().as('global')
