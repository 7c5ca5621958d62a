import { type AppContext, type DocumentedRule, RULE_EXTENSION } from '@reeve/auth'
import { errorCodes } from '@reeve/core'
import type { ProgramInfo } from '@reeve/instance'
import { createHub } from '@reeve/live'
import { portalResources } from '../resources.ts'
import { API_VERSION } from '../version.ts'
import { generateDocument } from './document.ts'
import { requestHeaders } from './headers.ts'
import type { GeneratedOperation, Operation } from './operation.ts'
import { allowAdditionalFields, errorSchema, nameSharedSchemas, toPlainSchema, toRef } from './schema.ts'

const JSON_TYPE = 'application/json'

/** Whether an operation accepts an `Idempotency-Key`: `apps/portal/generate-types.ts` reads it for the portal's client. */
const IDEMPOTENCY_EXTENSION = 'x-accepts-idempotency-key'

/** A placeholder: the routes are described, not called. */
const emptyProgramInfo: ProgramInfo = {
  version: '',
  warnings: () => [],
  backups: () => ({ verdict: 'ok', found: '', advice: null, made: null, failed: null }),
}

/**
 * Generates the OpenAPI 3 document of the portal-only routes. The types of the portal's client are generated from it; it is
 * never served.
 */
export async function portalDocument(app: AppContext): Promise<object> {
  const hub = createHub(app.db, app.ports, app.shutdownSignal)
  const { openapi, paths } = await generateDocument(portalResources(app, { text: '' }, emptyProgramInfo, hub))
  const portalPaths = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, toPortalOperation(operation)]),
      ),
    ]),
  )
  const schemas = nameSharedSchemas(portalPaths)
  return {
    openapi,
    info: { title: 'Reeve portal API', version: API_VERSION },
    paths: portalPaths,
    components: {
      parameters: requestHeaders,
      schemas: { Error: errorSchema, ...schemas },
    },
  }
}

interface PortalOperation extends Pick<Operation, 'responses'> {
  readonly [part: string]: unknown
}

function toPortalOperation(generated: GeneratedOperation): PortalOperation {
  const isConditional = errorCodes.version_mismatch.status in generated.responses
  const bodySchema = generated.requestBody?.content[JSON_TYPE]?.schema
  const body = Object.keys(bodySchema?.properties ?? {}).length > 0 ? bodySchema : undefined
  return {
    summary: generated.summary,
    [IDEMPOTENCY_EXTENSION]: (generated[RULE_EXTENSION] as DocumentedRule).acceptsIdempotencyKey,
    parameters: [
      ...(generated.parameters ?? []).map((parameter) => ({ ...parameter, required: false })),
      ...(isConditional ? [toRef('parameters', 'If-Match')] : []),
    ],
    ...(body
      ? { requestBody: { required: true, content: { [JSON_TYPE]: { schema: toPlainSchema(body) } } } }
      : {}),
    responses: Object.fromEntries(
      Object.entries(generated.responses).map(([status, { description, content }]) => [
        status,
        {
          description: description || status,
          ...(content
            ? {
                content: {
                  [JSON_TYPE]: {
                    schema:
                      status === '200'
                        ? allowAdditionalFields(toPlainSchema(content[JSON_TYPE]?.schema ?? {}))
                        : toRef('schemas', 'Error'),
                  },
                },
              }
            : {}),
        },
      ]),
    ),
  }
}
