/**
 * The addresses that the page answers for, as the server's router writes them: `*` is whatever follows. Every route of
 * `router.tsx` is below one of them; any other address is answered in JSON.
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

/** Where the page's own files are. */
export const ASSET_PATH = '/portal/assets'

/** What the server knows when it sends the page, so that the right screen comes first and nothing has to jump. */
export type InitialAuthState = 'first-run' | 'sign-in' | 'signed-in'
