import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'

/** Generates what the portal's API client needs from the OpenAPI documents that `apps/api/describe.ts` has written. */
const documents = { public: 'openapi.json', portal: 'portal-openapi.json' }

const source = (document: string): string => join(import.meta.dir, '../../dist', document)
const target = join(import.meta.dir, 'dist/api')

for (const [name, document] of Object.entries(documents)) {
  const tree = await openapiTypescript(new URL(`file://${source(document)}`), {
    alphabetize: true,
    defaultNonNullable: false,
  })
  await Bun.write(join(target, `${name}.d.ts`), astToString(tree))
}

interface PortalDocument {
  readonly paths: Record<string, Record<string, { readonly 'x-accepts-idempotency-key': boolean }>>
}

const { paths } = (await Bun.file(source(documents.portal)).json()) as PortalDocument
const routes = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([method, operation]) => method !== 'get' && !operation['x-accepts-idempotency-key'])
    .map(([method]) => `${method.toUpperCase()} ${path}`),
)
await Bun.write(
  join(target, 'routes-without-idempotency-key.ts'),
  `export const routesWithoutIdempotencyKey: ReadonlySet<string> = new Set(${JSON.stringify(routes, null, 2)})\n`,
)
