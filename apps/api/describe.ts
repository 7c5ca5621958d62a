import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { publicUrlOf, readSettings } from './src/config.ts'
import { standaloneDocument, standalonePortalDocument } from './src/openapi/standalone.ts'

/** Writes the interface down: `openapi.json` is for everybody, `portal-openapi.json` types the portal's own client. */
const dist = join(import.meta.dir, '../../dist')
mkdirSync(dist, { recursive: true })

const config = readSettings(['publicUrl', 'legacyPrefix', 'host', 'port'], {}, {})
const described = { publicUrl: publicUrlOf(config, config.port), legacyPrefix: config.legacyPrefix }
const documents = {
  'openapi.json': await standaloneDocument(described),
  'portal-openapi.json': await standalonePortalDocument(described),
}
for (const [name, document] of Object.entries(documents)) {
  await Bun.write(join(dist, name), `${JSON.stringify(document, null, 2)}\n`)
}
