/**
 * The paths that serve the portal's page, in the syntax of the server's router. They cover every route of `router.tsx`; any
 * other path gets the page with status 404 if a browser opens it, and a JSON response otherwise.
 */
export const pagePaths = [
  '/',
  '/sign-in',
  '/first-run',
  '/invitation',
  '/account',
  '/workspaces',
  '/workspaces/*',
  '/w/*',
  '/operator',
  '/operator/*',
] as const

/** The path of the portal's static files. */
export const ASSET_PATH = '/portal/assets'

/** Sent with the page, so that the portal opens on the right screen without a redirect. `not-found`: the URL is unknown. */
export type InitialAuthState = 'first-run' | 'sign-in' | 'signed-in' | 'not-found'
