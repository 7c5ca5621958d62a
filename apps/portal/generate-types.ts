import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'

/** The OpenAPI documents that `apps/api/describe.ts` generates from the handlers. */
const documents = { public: 'openapi.json', portal: 'portal-openapi.json' }

for (const [name, document] of Object.entries(documents)) {
  const tree = await openapiTypescript(new URL(`file://${join(import.meta.dir, '../../dist', document)}`), {
    alphabetize: true,
    defaultNonNullable: false,
  })
  await Bun.write(join(import.meta.dir, 'dist/api', `${name}.d.ts`), astToString(tree))
}
