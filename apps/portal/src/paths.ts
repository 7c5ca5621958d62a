/**
 * The paths that serve the portal's page, in the syntax of the server's router. They cover every route of `router.tsx`; any
 * other path gets the page with status 404 if a browser opens it, and a JSON response otherwise.
 */
export const pagePaths = [
  '/',
  '/sign-in',
  '/sign-in/:provider/callback',
  '/sign-in/password',
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

/** Stands for the time zone of the browser, which the server does not know. */
export const TIME_ZONE = 'TIME_ZONE'

/** Sent with the page, so that the portal opens on the right screen without a redirect. `not-found`: the URL is unknown. */
export type InitialAuthState = 'first-run' | 'sign-in' | 'signed-in' | 'not-found'

/** The bundle with the navigation of every signed-in user. */
export const SHELL = 'shell'

/** The bundle of the screen that an identity provider sends the browser back to. */
export const PROVIDER_CALLBACK = 'provider-callback'

/** The screens of the configuration that have a bundle of their own, because they need little of what the others share. */
const ownBundles: ReadonlySet<string> = new Set(['erasures', 'import', 'reasons'])

/** The bundle with the settings that a page shows in a form, which only they need. */
export const SETTINGS = 'settings'
const settingsPages: ReadonlySet<string> = new Set(['appeals', 'retention', 'workspace'])

/** The bundle with the lists of cases, which players and single cases do not need. */
export const LISTS = 'lists'
const listPages: ReadonlySet<string> = new Set(['bans', 'mutes', 'history', 'records'])

/**
 * The bundles that a page needs besides the first script, so that it requests them at once. A bundle has the name of the folder
 * of its screens, which is the first segment of their path, or their segment below `/w/<id>`.
 */
export function listBundles(path: string, authState: InitialAuthState): readonly string[] {
  const [first = '', second = '', section = '', page = ''] = path.split('/').slice(1)
  if (first === 'invitation' || path === '/sign-in/password') return [first]
  if (authState === 'not-found') return [SHELL]
  if (first === 'sign-in' && second !== '' && authState !== 'first-run') return [PROVIDER_CALLBACK]
  if (authState !== 'signed-in') return [authState]
  if (section === 'moderation' && listPages.has(page)) return [SHELL, LISTS]
  if (section === 'configuration' && settingsPages.has(page)) return [SHELL, SETTINGS]
  if (section === 'configuration' && ownBundles.has(page)) return [SHELL, page]
  return [SHELL, first === 'w' ? section || 'home' : first]
}
