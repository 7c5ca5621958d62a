import { createHash } from 'node:crypto'

/** What the page asks of the reference: everything from here, nothing told to anyone, no key kept. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  proxyUrl: '',
  defaultOpenAllTags: true,
} as const

/** Keeps the reference's schema library from trying whether it may evaluate text as code: it may not. */
const PREPARE_SCRIPT = 'globalThis.__zod_globalConfig={jitless:true}'
const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})`

const hashes = [PREPARE_SCRIPT, START_SCRIPT].map(
  (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
)

/** The page that shows the OpenAPI document. @param script the address of the reference's script */
export const docsPage = (script: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Reeve API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body style="margin:0">
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a>.</noscript>
    <script>${PREPARE_SCRIPT}</script>
    <script src="${script}"></script>
    <script>${START_SCRIPT}</script>
  </body>
</html>
`

/** No other host, no other script. The reference sets styles as it goes, on elements and in a sheet of its own. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashes.join(' ')}`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]
