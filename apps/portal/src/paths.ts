/**
 * The paths that serve the portal's page, in the syntax of the server's router. They cover every route of `router.tsx`; any
 * other path gets a JSON response.
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

/** Sent with the page, so that the portal opens on the right screen without a redirect. */
export type InitialAuthState = 'first-run' | 'sign-in' | 'signed-in'
