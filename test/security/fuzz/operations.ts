import { standaloneDocument, standalonePortalDocument } from '@reeve/api/openapi/standalone'
import Ajv from 'ajv'
import { LEGACY_PREFIX, PUBLIC_URL } from '../../support/instance.ts'

/** A documented field of a request. */
export interface FuzzField {
  readonly name: string
  readonly place: 'query' | 'body'
  readonly description: string
  /** Empty if the document has none. */
  readonly example: string
}

/** A documented operation, once per prefix. */
export interface FuzzOperation {
  /** `POST /api/events` */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly fields: readonly FuzzField[]
  /** Complete requests of the document, with the ids of its examples. */
  readonly examples: readonly { readonly query: Fields; readonly body: Fields | undefined }[]
  /** Whether the document has it at all: errors that are not documented fail the test. */
  readonly statuses: ReadonlySet<string>
  /** What a body differs in from the schema of its status, including additional fields; null without a schema. */
  readonly validators: ReadonlyMap<string, (body: unknown) => string[]>
}

type Fields = Readonly<Record<string, string>>

interface Schema {
  readonly description?: string
  readonly example?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

/** The public document has the example of a parameter beside its schema. */
interface Parameter extends Pick<Schema, 'description' | 'example'> {
  readonly name?: string
  readonly in?: string
  readonly schema?: Schema
}

interface Operation {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { schema: Schema; examples?: Record<string, { value: Fields }> }
    }
  }
  readonly responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: object }>> }>>
}

/** Every operation of the public document, under both prefixes, and of the portal's, `/admin` included. */
export async function listOperations(): Promise<FuzzOperation[]> {
  const options = { publicUrl: new URL(PUBLIC_URL), legacyPrefix: LEGACY_PREFIX }
  const publicDocument = (await standaloneDocument(options)) as unknown as Document
  const portalDocument = (await standalonePortalDocument(options)) as Document
  const current = toOperations(publicDocument)
  const legacy = current.map((operation) => {
    const path = operation.path.replace(/^\/api/, LEGACY_PREFIX)
    return { ...operation, path, name: `${operation.method} ${path}` }
  })
  return [...current, ...legacy, ...toOperations(portalDocument)]
}

const toOperations = (document: Document): FuzzOperation[] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([key, operation]) => {
      const method = key.toUpperCase()
      return {
        name: `${method} ${path}`,
        method,
        path,
        fields: listFields(operation),
        examples: listExamples(method, path, operation),
        statuses: new Set(Object.keys(operation.responses)),
        validators: createValidators(document, operation),
      }
    }),
  )

function listFields({ parameters = [], requestBody }: Operation): FuzzField[] {
  const body = Object.entries(requestBody?.content['application/json'].schema.properties ?? {})
  return [
    ...parameters.flatMap((parameter) =>
      parameter.in === 'query'
        ? [toField(String(parameter.name), 'query', { ...parameter.schema, ...parameter })]
        : [],
    ),
    ...body.map(([name, schema]) => toField(name, 'body', schema)),
  ]
}

const toField = (name: string, place: FuzzField['place'], schema: Schema = {}): FuzzField => ({
  name,
  place,
  description: schema.description ?? '',
  example: schema.example ?? '',
})

/** The examples of the body, and the URLs in the description. */
function listExamples(method: string, path: string, operation: Operation): FuzzOperation['examples'] {
  const bodies = Object.values(operation.requestBody?.content['application/json'].examples ?? {})
  const urls = [...(operation.description ?? '').matchAll(/^- `([A-Z]+) (\/\S+)`/gm)]
  return [
    ...bodies.map(({ value }) => ({ query: {}, body: value })),
    ...urls.flatMap(([, urlMethod, url = '']) =>
      urlMethod === method && url.startsWith(path)
        ? [{ query: Object.fromEntries(new URL(url, PUBLIC_URL).searchParams), body: undefined }]
        : [],
    ),
  ]
}

const ajv = new Ajv({ strict: false, allErrors: true })

function createValidators({ components }: Document, { responses }: Operation) {
  const validators = new Map<string, (body: unknown) => string[]>()
  for (const [status, { content }] of Object.entries(responses)) {
    const schema = content?.['application/json']?.schema
    if (schema === undefined) continue
    let validate: ReturnType<typeof ajv.compile> | undefined
    validators.set(status, (body) => {
      validate ??= ajv.compile(withoutAdditionalFields({ ...schema, components }))
      return validate(body) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
    })
  }
  return validators
}

/** The document allows additional fields in responses; the fuzzer does not. */
const withoutAdditionalFields = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  )
