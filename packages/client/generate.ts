import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'

/**
 * Generates what the client needs: types from the OpenAPI document that `apps/api/describe.ts` has written, and copies of the rules of
 * the server that the client applies itself, because the package imports no other one.
 */
const source = join(import.meta.dir, '../../dist/openapi.json')
const target = join(import.meta.dir, 'src/generated')
const core = join(import.meta.dir, '../core/src')
/** The rules for ids of players and for expiries, with what they import. Their folders stay, so that their imports do. */
const COPIED_RULES = [
  'expiry.ts',
  'platforms/id-rules.ts',
  'platforms/platforms.ts',
  'platforms/player-id.ts',
  'wire-codec.ts',
]

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[]
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: { readonly properties?: object } }>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Record<string, { readonly schema: Schema }> }>
  >
}
interface Schema {
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
}

const types = await openapiTypescript(new URL(`file://${source}`), {
  alphabetize: true,
  defaultNonNullable: false,
})
await Bun.write(join(target, 'openapi.ts'), astToString(types))

/** Where an operation takes the ID of the workspace; null if it does not. */
function locateWorkspaceId({ parameters = [], requestBody }: Operation): 'query' | 'body' | null {
  if (parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'workspaceId'))
    return 'query'
  const fields = requestBody?.content['application/json']?.schema.properties ?? {}
  return 'workspaceId' in fields ? 'body' : null
}

/** The first field of each body that a successful request returns: later versions of the server return it, too. */
function listFirstFields({ responses }: Operation): string[] {
  const schema = responses['200']?.content?.['application/json']?.schema
  const bodies = schema?.anyOf ?? (schema ? [schema] : [])
  return [...new Set(bodies.flatMap(({ required }) => required?.[0] ?? []))]
}

const { paths } = (await Bun.file(source).json()) as Document
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [
    `${method.toUpperCase()} ${path}`,
    {
      workspaceId: locateWorkspaceId(operation),
      acceptsIdempotencyKey: (operation.parameters ?? []).some(({ $ref }) =>
        $ref?.endsWith('/Idempotency-Key'),
      ),
      firstFields: listFirstFields(operation),
    },
  ]),
)
await Bun.write(
  join(target, 'operations.ts'),
  `/** What the client adds to an operation, and expects of it. */
interface Operation {
  readonly workspaceId: 'query' | 'body' | null
  readonly acceptsIdempotencyKey: boolean
  /** The body of a success has one of them. */
  readonly firstFields: readonly string[]
}

export const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(Object.fromEntries(operations), null, 2)}
`,
)

for (const name of COPIED_RULES) await Bun.write(join(target, 'core', name), Bun.file(join(core, name)))
