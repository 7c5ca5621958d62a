import { MINUTE_MS } from '@reeve/core'
import type { AppContext } from '../../context.ts'
import { createCookie, readCookie } from '../../sessions/cookie.ts'
import type { SignInContext } from '../../sessions/establish.ts'
import { generateToken } from '../../token.ts'

/** How long a sign-in with a provider may take, in milliseconds. */
export const FLOW_LIFETIME_MS = 10 * MINUTE_MS

const NAME = 'reeve_oidc'

/** The secret of the browser that started a sign-in; null if the request has none. */
export const readBrowserSecret = (request: Request, publicUrl: URL): string | null =>
  readCookie(request, NAME, publicUrl)

/**
 * Gives a browser a secret that its sign-ins with providers are bound to, so that nobody can make it finish the sign-in of somebody else.
 * A browser that has one keeps it: it may be signing in in another tab.
 * @returns the secret
 */
export function issueBrowserSecret(
  { request, set }: Pick<SignInContext, 'request' | 'set'>,
  { ports, settings, isHttps }: Pick<AppContext, 'ports' | 'settings' | 'isHttps'>,
): string {
  const secret = readBrowserSecret(request, settings.publicUrl) ?? generateToken(ports)
  set.headers['set-cookie'] = createCookie(NAME, secret, FLOW_LIFETIME_MS, isHttps(request))
  return secret
}
