import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { errorCodes } from '@reeve/core'
import { CURRENT_PREFIX } from '../resources.ts'
import { type Example, findExamples } from './examples.ts'
import { requestHeaders, toHeaderRefs } from './headers.ts'
import { allowAdditionalFields, type Schema, toPlainSchema, toRef } from './schema.ts'

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

interface OperationResponse {
  readonly description: string
  readonly headers?: object
  readonly content?: Record<string, Content>
}

/** An operation as the plugin writes it. */
export interface GeneratedOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Readonly<Record<string, OperationResponse>>
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
  readonly responses: Readonly<Record<string, OperationResponse>>
}

const JSON_TYPE = 'application/json'

/** Says of an operation what the plugin cannot: who may call it, its headers, its examples, its errors by reference. */
export function toOperation(method: string, path: string, generated: GeneratedOperation): Operation {
  const rule = getDocumentedRule(generated)
  const name = path.slice(CURRENT_PREFIX.length + 1)
  const examples = findExamples(method, name)
  const isIdempotent = errorCodes.idempotency_mismatch.status in generated.responses
  const isConditional = errorCodes.version_mismatch.status in generated.responses
  const headers = (Object.keys(requestHeaders) as (keyof typeof requestHeaders)[]).filter((header) =>
    header === 'If-Match' ? isConditional : isIdempotent,
  )
  const hasBody = generated.requestBody !== undefined
  const parameters = [
    ...(generated.parameters ?? []).map((parameter) => toParameter(parameter, rule, hasBody, examples)),
    ...headers.map((header) => toRef('parameters', header)),
  ]
  return {
    operationId: toOperationId(method, name),
    tags: generated.tags ?? [],
    summary: generated.summary ?? '',
    description: [generated.description, describePermissions(rule), formatExampleList(method, path, examples)]
      .filter(Boolean)
      .join('\n\n'),
    'x-permissions': rule.permissions,
    security: [{ apiKey: [] }, { session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(generated.requestBody ? { requestBody: toRequestBody(generated.requestBody, examples) } : {}),
    responses: toResponses(generated.responses, rule, isIdempotent),
  }
}

/** The framework joins lists where routes share their `detail`, so each permission is taken once. */
function getDocumentedRule(generated: GeneratedOperation): DocumentedRule {
  const rule = generated[RULE_EXTENSION] as DocumentedRule
  return { ...rule, permissions: [...new Set(rule.permissions)] }
}

function describePermissions({ permissions }: DocumentedRule): string {
  const [first, ...more] = permissions.map((permission) => `\`${permission}\``)
  if (first === undefined) return 'Needs no permission: what the caller may see is answered.'
  return more.length === 0
    ? `Needs the permission ${first}.`
    : `Needs one permission, depending on what is asked for: ${[first, ...more].join(', ')}.`
}

/** What the first example says stands beside the parameters; any further value would be sent by pages that make requests. */
function toParameter(
  { schema, ...parameter }: Parameter,
  rule: DocumentedRule,
  hasBody: boolean,
  examples: Readonly<Record<string, Example>>,
): Parameter {
  const name = parameter.name ?? ''
  // Without a body there is no other place to name the workspace in.
  const required = name === 'workspaceId' && rule.workspace === 'required' && !hasBody
  const { example: _, ...parameterSchema } = toPlainSchema(schema ?? {})
  const value = hasBody ? undefined : Object.values(examples)[0]?.query?.[name]
  return {
    ...parameter,
    required,
    schema: parameterSchema,
    ...(value === undefined ? {} : { example: value }),
  }
}

/** Examples without a body, as a list: OpenAPI has no place for several. */
function formatExampleList(
  method: string,
  path: string,
  examples: Readonly<Record<string, Example>>,
): string {
  return Object.values(examples)
    .filter(({ body }) => body === undefined)
    .map(({ summary, query }) => `- \`${method.toUpperCase()} ${path}${toQueryString(query)}\` ${summary}`)
    .join('\n')
}

/** A query as people write it: commas and colons may stand as they are. */
const toQueryString = (query: Readonly<Record<string, string>> = {}): string =>
  `?${new URLSearchParams(query)}`.replaceAll('%2C', ',').replaceAll('%3A', ':').replace(/\?$/, '')

function toRequestBody(
  { content }: NonNullable<GeneratedOperation['requestBody']>,
  examples: Readonly<Record<string, Example>>,
): NonNullable<Operation['requestBody']> {
  const schema = toPlainSchema(content[JSON_TYPE]?.schema ?? {})
  const bodyExamples = Object.entries(examples).flatMap(([title, { summary, body }]) =>
    body ? [[title, { summary, value: body }] as const] : [],
  )
  // Where an example does without a body, so may a caller.
  const required = Object.values(examples).every(({ body }) => body !== undefined)
  return { required, content: { [JSON_TYPE]: { schema, examples: Object.fromEntries(bodyExamples) } } }
}

function toResponses(
  responses: GeneratedOperation['responses'],
  rule: DocumentedRule,
  isIdempotent: boolean,
): Readonly<Record<string, OperationResponse>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content }]) => {
      const headers = toHeaderRefs(Number(status), { isIdempotent })
      const schema =
        status === '200'
          ? allowAdditionalFields(toPlainSchema(content?.[JSON_TYPE]?.schema ?? {}))
          : toRef('schemas', 'Error')
      return [
        status,
        {
          description: describeResponse(status, description, rule),
          headers,
          content: { [JSON_TYPE]: { schema } },
        },
      ]
    }),
  )
}

function describeResponse(status: string, description: string, rule: DocumentedRule): string {
  if (status === '200') return 'Success'
  const { missing_workspace_id: missing } = errorCodes
  const isMentioned = description.includes('missing_workspace_id')
  if (rule.workspace !== 'required' || status !== String(missing.status) || isMentioned) return description
  return `\`missing_workspace_id\`: ${missing.defaultMessage}\n\n${description}`
}

/** `postWorkspacePermissions`: a name that programs can be generated with. */
const toOperationId = (method: string, name: string): string =>
  method +
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
