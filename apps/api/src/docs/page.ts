import { createHash } from 'node:crypto'

/** Configures Scalar to load everything from this origin, to send no telemetry and to store no credentials. */
const configuration = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // The sandbox of the page prevents both.
  hideTestRequestButton: true,
  documentDownloadType: 'none',
  showDeveloperTools: 'never',
  persistAuth: false,
  proxyUrl: '',
  defaultOpenAllTags: true,
} as const

/**
 * Turns off the just-in-time compilation of Zod, which the Content-Security-Policy blocks, and replaces the storages, which the sandbox
 * blocks, with ones that last as long as the page.
 */
const PREPARE_SCRIPT = `globalThis.__zod_globalConfig={jitless:true}
for(const name of ['localStorage','sessionStorage']){
const items=new Map()
Object.defineProperty(globalThis,name,{value:{
get length(){return items.size},
key:(index)=>[...items.keys()][index]??null,
getItem:(key)=>items.get(String(key))??null,
setItem:(key,value)=>{items.set(String(key),String(value))},
removeItem:(key)=>{items.delete(String(key))},
clear:()=>items.clear()
}})}`
const START_SCRIPT = `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})`

const hashes = [PREPARE_SCRIPT, START_SCRIPT].map(
  (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
)

/** Renders the API reference page. @param script URL of Scalar's script */
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
    <noscript>This page requires JavaScript. The API is also described in <a href="/openapi.json">openapi.json</a>.</noscript>
    <script>${PREPARE_SCRIPT}</script>
    <script src="${script}"></script>
    <script>${START_SCRIPT}</script>
  </body>
</html>
`

/**
 * Allows no other host and no other script. Inline styles are allowed, because Scalar sets them at run time. The sandbox gives the page an
 * origin of its own: its script, which is not ours, has neither the session nor anything else that belongs to the portal.
 */
export const DOCS_POLICY = [
  'sandbox allow-scripts',
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
