import { SHOWN_RULE, type ShownRule } from '@reeve/auth'
import { errorCodes } from '@reeve/core'
import { CURRENT_PREFIX } from '../resources.ts'
import { type Example, examplesOf } from './examples.ts'
import { headersOf, requestHeaders } from './headers.ts'
import { openForMore, plain, refTo, type Schema } from './schema.ts'

export interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: string
}

interface Content {
  schema: Schema
  readonly examples?: Record<string, { summary: string; value: object }>
}

interface Answer {
  readonly description: string
  readonly headers?: object
  readonly content?: Record<string, Content>
}

/** An operation as the plugin writes it. */
export interface PlainOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Readonly<Record<string, Answer>>
  readonly [extension: string]: unknown
}

/** An operation as the document shows it. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly 'x-permissions': readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Content> }
  readonly responses: Readonly<Record<string, Answer>>
}

const JSON_TYPE = 'application/json'

/** Says of an operation what the plugin cannot: who may call it, its headers, its examples, its errors by reference. */
export function shapeOperation(method: string, path: string, made: PlainOperation): Operation {
  const rule = shownRuleOf(made)
  const name = path.slice(CURRENT_PREFIX.length + 1)
  const examples = examplesOf(method, name)
  const isIdempotent = errorCodes.idempotency_mismatch.status in made.responses
  const isConditional = errorCodes.version_mismatch.status in made.responses
  const headers = (Object.keys(requestHeaders) as (keyof typeof requestHeaders)[]).filter((header) =>
    header === 'If-Match' ? isConditional : isIdempotent,
  )
  const hasBody = made.requestBody !== undefined
  const parameters = [
    ...(made.parameters ?? []).map((parameter) => shapeParameter(parameter, rule, hasBody, examples)),
    ...headers.map((header) => refTo('parameters', header)),
  ]
  return {
    operationId: operationIdOf(method, name),
    tags: made.tags ?? [],
    summary: made.summary ?? '',
    description: [made.description, admissionSentence(rule), exampleList(method, path, examples)]
      .filter(Boolean)
      .join('\n\n'),
    'x-permissions': rule.permissions,
    security: [{ apiKey: [] }, { session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(made.requestBody ? { requestBody: shapeBody(made.requestBody, examples) } : {}),
    responses: shapeAnswers(made.responses, rule, isIdempotent),
  }
}

/** The framework joins lists where routes share their `detail`, so each permission is taken once. */
function shownRuleOf(plain: PlainOperation): ShownRule {
  const rule = plain[SHOWN_RULE] as ShownRule
  return { ...rule, permissions: [...new Set(rule.permissions)] }
}

function admissionSentence({ permissions }: ShownRule): string {
  const [first, ...more] = permissions.map((permission) => `\`${permission}\``)
  if (first === undefined) return 'Needs no permission: what the caller may see is answered.'
  return more.length === 0
    ? `Needs the permission ${first}.`
    : `Needs one permission, depending on what is asked for: ${[first, ...more].join(', ')}.`
}

/** What the first example says stands beside the parameters; any further value would be sent by pages that make requests. */
function shapeParameter(
  { schema, ...parameter }: Parameter,
  rule: ShownRule,
  hasBody: boolean,
  examples: Readonly<Record<string, Example>>,
): Parameter {
  const name = parameter.name ?? ''
  // Without a body there is no other place to name the workspace in.
  const required = name === 'workspaceId' && rule.workspace === 'required' && !hasBody
  const { example: _, ...shown } = plain(schema ?? {})
  const value = hasBody ? undefined : Object.values(examples)[0]?.query?.[name]
  return { ...parameter, required, schema: shown, ...(value === undefined ? {} : { example: value }) }
}

/** Examples without a body, as a list: OpenAPI has no place for several. */
function exampleList(method: string, path: string, examples: Readonly<Record<string, Example>>): string {
  return Object.values(examples)
    .filter(({ body }) => body === undefined)
    .map(({ summary, query }) => `- \`${method.toUpperCase()} ${path}${searchOf(query)}\` ${summary}`)
    .join('\n')
}

/** A query as people write it: commas and colons may stand as they are. */
const searchOf = (query: Readonly<Record<string, string>> = {}): string =>
  `?${new URLSearchParams(query)}`.replaceAll('%2C', ',').replaceAll('%3A', ':').replace(/\?$/, '')

function shapeBody(
  { content }: NonNullable<PlainOperation['requestBody']>,
  examples: Readonly<Record<string, Example>>,
): NonNullable<Operation['requestBody']> {
  const schema = plain(content[JSON_TYPE]?.schema ?? {})
  const shown = Object.entries(examples).flatMap(([title, { summary, body }]) =>
    body ? [[title, { summary, value: body }] as const] : [],
  )
  // Where an example does without a body, so may a caller.
  const required = Object.values(examples).every(({ body }) => body !== undefined)
  return { required, content: { [JSON_TYPE]: { schema, examples: Object.fromEntries(shown) } } }
}

function shapeAnswers(
  responses: PlainOperation['responses'],
  rule: ShownRule,
  isIdempotent: boolean,
): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content }]) => {
      const headers = headersOf(Number(status), { isIdempotent })
      const schema =
        status === '200' ? openForMore(plain(content?.[JSON_TYPE]?.schema ?? {})) : refTo('schemas', 'Error')
      return [
        status,
        { description: describe(status, description, rule), headers, content: { [JSON_TYPE]: { schema } } },
      ]
    }),
  )
}

function describe(status: string, description: string, rule: ShownRule): string {
  if (status === '200') return 'Success'
  const { missing_workspace_id: missing } = errorCodes
  const isSaid = description.includes('missing_workspace_id')
  if (rule.workspace !== 'required' || status !== String(missing.status) || isSaid) return description
  return `\`missing_workspace_id\`: ${missing.defaultMessage}\n\n${description}`
}

/** `postWorkspacePermissions`: a name that programs can be generated with. */
const operationIdOf = (method: string, name: string): string =>
  method +
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
