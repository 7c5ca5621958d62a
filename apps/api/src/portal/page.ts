import { randomBytes } from 'node:crypto'
import type { entry } from '@reeve/portal/files'
import { ASSET_PATH, type InitialAuthState } from '@reeve/portal/paths'

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
 */
export const portalPolicy = (nonce: string): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${nonce}'`,
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const ICON = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d6b52"/>' +
    '<path d="M11 25V7h6a5.5 5.5 0 0 1 0 11h-6m6 0 6 7" fill="none" stroke="#fff" stroke-width="3.5"/></svg>',
)

/** Renders the HTML page, the same for every path. Its script renders the content. */
export const portalPage = (
  authState: InitialAuthState,
  nonce: string,
  files: typeof entry,
): string => `<!doctype html>
<html lang="en" data-auth-state="${authState}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#f6f7f5" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#141816" media="(prefers-color-scheme: dark)">
    <title>${pageTitles[authState]}</title>
    <link rel="icon" href="data:image/svg+xml,${ICON}">
    <script src="${ASSET_PATH}/${files.scheme}"></script>
    <link rel="stylesheet" href="${ASSET_PATH}/${files.style}" nonce="${nonce}">
    <script type="module" src="${ASSET_PATH}/${files.script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript><p class="needs-script">This page requires JavaScript. Enable JavaScript and reload the page.</p></noscript>
  </body>
</html>
`
