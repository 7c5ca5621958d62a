import { createHash, randomBytes } from 'node:crypto'
import type { OidcProvider } from '@reeve/auth'
import type { entry } from '@reeve/portal/files'
import { findFirstReads } from '@reeve/portal/first-reads'
import { ASSET_PATH, type InitialAuthState, listBundles } from '@reeve/portal/paths'

const pageTitles = {
  'first-run': 'Set up Reeve',
  'sign-in': 'Sign in · Reeve',
  'signed-in': 'Reeve',
  'not-found': 'Page not found · Reeve',
} satisfies Record<InitialAuthState, string>

/** A nonce of 128 random bits for the style elements of one response. */
export const createNonce = (): string => randomBytes(16).toString('base64')

/**
 * Allows no other host, no scripts but the page's own, and only style elements with the nonce.
 * @param nonce unique to this response
 * @param inlineScript the script that the page contains
 */
export const portalPolicy = (nonce: string, inlineScript: string): readonly string[] => [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(inlineScript).digest('base64')}'`,
  `style-src 'self' 'nonce-${nonce}'`,
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  // Evidence, from memory: no media is loaded from a URL.
  'media-src blob:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const ICON = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d6b52"/>' +
    '<path d="M11 25V7h6a5.5 5.5 0 0 1 0 11h-6m6 0 6 7" fill="none" stroke="#fff" stroke-width="3.5"/></svg>',
)

interface Page {
  /** The identity providers that have a button wherever one can sign in. */
  readonly providers: readonly Pick<OidcProvider, 'id' | 'name'>[]
  /** Whether people can have a link to set a password sent to them. */
  readonly sendsMail: boolean
  readonly authState: InitialAuthState
  readonly url: URL
  readonly nonce: string
  readonly entry: typeof entry
}

/** The scripts that the page needs besides the first one: requested with it instead of one after another. */
function renderPreloads({ url, authState, entry: { bundles } }: Page): string {
  const files = new Set(listBundles(url.pathname, authState).flatMap((name) => bundles[name] ?? []))
  return [...files].map((file) => `\n    <link rel="modulepreload" href="${ASSET_PATH}/${file}">`).join('')
}

/** What the script inside the page reads. The URLs have no quote or apostrophe. */
function renderFirstReads({ url, authState }: Page): string {
  const reads = authState === 'signed-in' ? findFirstReads(url) : null
  return reads === null ? '' : ` data-first-reads='${JSON.stringify(reads).replaceAll('&', '&amp;')}'`
}

/** In the page, because buttons that appear later would move the form. */
function renderProviders({ providers }: Page): string {
  if (providers.length === 0) return ''
  const json = JSON.stringify(providers.map(({ id, name }) => ({ id, name })))
  return ` data-providers='${json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')}'`
}

/** Renders the HTML page. Its script renders the content. */
export const portalPage = (page: Page): string => `<!doctype html>
<html lang="en" data-auth-state="${page.authState}"${renderFirstReads(page)}${renderProviders(page)}${page.sendsMail ? ' data-sends-mail' : ''}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f6f7f5" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#141816" media="(prefers-color-scheme: dark)">
    <title>${pageTitles[page.authState]}</title>
    <link rel="icon" href="data:image/svg+xml,${ICON}">
    <link rel="stylesheet" href="${ASSET_PATH}/${page.entry.forcedColorsStyle}" disabled>
    <script>${page.entry.inlineScript}</script>
    <link rel="stylesheet" href="${ASSET_PATH}/${page.entry.style}" nonce="${page.nonce}">
    <script type="module" src="${ASSET_PATH}/${page.entry.script}"></script>${renderPreloads(page)}
  </head>
  <body>
    <div id="root"></div>
    <noscript><p class="needs-script">This page requires JavaScript. Enable JavaScript and reload the page.</p></noscript>
  </body>
</html>
`
