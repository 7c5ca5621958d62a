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

interface Operation {
  /** Of the portal's own API. */
  readonly 'x-accepts-idempotency-key'?: boolean
  readonly parameters?: readonly { readonly $ref?: string }[]
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
}

/** The public API lists the header among the parameters. */
const acceptsIdempotencyKey = ({
  'x-accepts-idempotency-key': isAccepted,
  parameters = [],
}: Operation): boolean => isAccepted ?? parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'))

const readDocument = async (document: string): Promise<Document> => Bun.file(source(document)).json()
const allDocuments = await Promise.all(Object.values(documents).map(readDocument))
const routes = allDocuments.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, operation]) => method !== 'get' && !acceptsIdempotencyKey(operation))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  ),
)
await Bun.write(
  join(target, 'routes-without-idempotency-key.ts'),
  `export const routesWithoutIdempotencyKey: ReadonlySet<string> = new Set(${JSON.stringify(routes, null, 2)})\n`,
)
