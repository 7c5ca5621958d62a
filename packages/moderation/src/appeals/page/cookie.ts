import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AppContext, createCookie, readCookie } from '@reeve/auth'
import { HOUR_MS } from '@reeve/core'

/**
 * A browser that has entered a correct code keeps it in a cookie, which no script and no other site can read: the code is in no URL, no
 * history and no log, and does not count as a guess again.
 */

const NAME = 'reeve_appeal'
const LIFETIME_MS = 12 * HOUR_MS

type CookieContext = Pick<AppContext, 'ports' | 'settings' | 'isHttps'>

const sign = ({ ports }: CookieContext, payload: string): Buffer =>
  createHmac('sha256', ports.deriveKey('appeals')).update(payload).digest()

/** The header that stores a code. */
export function createCodeCookie(app: CookieContext, request: Request, code: number): string {
  const payload = `${code}.${app.ports.now() + LIFETIME_MS}`
  const value = `${payload}.${sign(app, payload).toString('base64url')}`
  return createCookie(NAME, value, LIFETIME_MS, app.isHttps(request))
}

/** The header that removes it. */
export const clearCodeCookie = (app: CookieContext, request: Request): string =>
  createCookie(NAME, '', 0, app.isHttps(request))

/** The code that this browser has entered before; null without one, or if it was too long ago. */
export function readCodeCookie(app: CookieContext, request: Request): number | null {
  const [, code, until, mac = ''] =
    /^(\d{1,16})\.(\d{1,16})\.([\w-]{43})$/.exec(readCookie(request, NAME, app.settings.publicUrl) ?? '') ??
    []
  const expected = sign(app, `${code}.${until}`)
  const isValid = code !== undefined && timingSafeEqual(Buffer.from(mac, 'base64url'), expected)
  return isValid && Number(until) > app.ports.now() ? Number(code) : null
}
