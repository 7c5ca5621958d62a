import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readSettings, resolvePublicUrl } from './src/config.ts'
import { standaloneDocument, standalonePortalDocument } from './src/openapi/standalone.ts'

/** Writes the OpenAPI documents: `openapi.json` is public; the types of the portal's client come from `portal-openapi.json`. */
const dist = join(import.meta.dir, '../../dist')
mkdirSync(dist, { recursive: true })

const config = readSettings(['publicUrl', 'legacyPrefix', 'host', 'port'], {}, {})
const options = { publicUrl: resolvePublicUrl(config, config.port), legacyPrefix: config.legacyPrefix }
const documents = {
  'openapi.json': await standaloneDocument(options),
  'portal-openapi.json': await standalonePortalDocument(options),
}
for (const [name, document] of Object.entries(documents)) {
  await Bun.write(join(dist, name), `${JSON.stringify(document, null, 2)}\n`)
}
