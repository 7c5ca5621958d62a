import { type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { errorCodes } from '@reeve/core'
import { CURRENT_PREFIX } from '../resources.ts'
import type { Example } from './example.ts'
import { findExamples } from './examples.ts'
import { NOT_MODIFIED, type requestHeaders, toHeaderRefs } from './headers.ts'
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

/** An operation as `@elysiajs/swagger` generates it. */
export interface GeneratedOperation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Readonly<Record<string, OperationResponse>>
  readonly [extension: string]: unknown
}

/** An operation in the final document. */
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

/** Adds what the plugin cannot know: permissions, headers, examples, and references to shared error schemas. */
export function toOperation(method: string, path: string, generated: GeneratedOperation): Operation {
  const rule = getDocumentedRule(generated)
  const name = path.slice(CURRENT_PREFIX.length + 1)
  const examples = findExamples(method, name)
  const isIdempotent = errorCodes.idempotency_mismatch.status in generated.responses
  const isConditional = errorCodes.version_mismatch.status in generated.responses
  const hasEtag = NOT_MODIFIED in generated.responses
  const isSupported: Record<keyof typeof requestHeaders, boolean> = {
    'Idempotency-Key': isIdempotent && rule.acceptsIdempotencyKey,
    'If-Match': isConditional,
    'If-None-Match': hasEtag,
    'X-Request-Id': isIdempotent,
  }
  const headers = Object.entries(isSupported).flatMap(([header, supported]) => (supported ? [header] : []))
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
    responses: toResponses(generated.responses, rule, { isIdempotent, hasEtag }),
  }
}

/** Elysia concatenates lists of routes that share their `detail`, so duplicate permissions are removed. */
function getDocumentedRule(generated: GeneratedOperation): DocumentedRule {
  const rule = generated[RULE_EXTENSION] as DocumentedRule
  return { ...rule, permissions: [...new Set(rule.permissions)] }
}

function describePermissions({ permissions }: DocumentedRule): string {
  const [first, ...more] = permissions.map((permission) => `\`${permission}\``)
  if (first === undefined) return 'Requires no permission: the response contains what the caller can see.'
  return more.length === 0
    ? `Requires the permission ${first}.`
    : `Requires one of these permissions, depending on the request: ${[first, ...more].join(', ')}.`
}

/** Uses the first example as the parameter's value. Schema examples are removed, because API clients would send them by default. */
function toParameter(
  { schema, ...parameter }: Parameter,
  rule: DocumentedRule,
  hasBody: boolean,
  examples: Readonly<Record<string, Example>>,
): Parameter {
  const name = parameter.name ?? ''
  // Without a body, the query is the only place for the workspace.
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

/** Formats examples without a body as a list, because OpenAPI allows only one per parameter. */
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

/** Formats a query string with commas and colons unescaped, for readability. */
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
  // An example without a body means that the body is optional.
  const required = Object.values(examples).every(({ body }) => body !== undefined)
  return { required, content: { [JSON_TYPE]: { schema, examples: Object.fromEntries(bodyExamples) } } }
}

function toResponses(
  responses: GeneratedOperation['responses'],
  rule: DocumentedRule,
  operation: Parameters<typeof toHeaderRefs>[1],
): Readonly<Record<string, OperationResponse>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, content }]) => {
      const headers = toHeaderRefs(Number(status), operation)
      if (Number(status) === NOT_MODIFIED) return [status, { description, headers }]
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

/** An identifier for code generators, such as `postWorkspacePermissions`. */
const toOperationId = (method: string, name: string): string =>
  method +
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
