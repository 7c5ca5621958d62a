import type { AppContext } from '@reeve/auth'
import { errorCodes } from '@reeve/core'
import { ErrorResponse } from '@reeve/http'
import type { InstanceParts } from '@reeve/instance'
import { INTERFACE_VERSION, plainDocumentOf } from '../openapi.ts'
import { portalResources } from '../resources.ts'
import { requestHeaders } from './headers.ts'
import type { Operation, PlainOperation } from './operation.ts'
import { nameSharedSchemas, openForMore, plain, refTo } from './schema.ts'

const JSON_TYPE = 'application/json'

/** Stands where the program's own facts would: the routes are described, not called. */
const noInstance: InstanceParts = {
  version: '',
  backups: () => ({ verdict: 'ok', found: '', advice: null, made: null, failed: null }),
}

/**
 * The OpenAPI 3 document of what serves the portal alone, made from the handlers like the public one. It is what the
 * portal's client is typed from, and is never served.
 */
export async function portalDocument(app: AppContext): Promise<object> {
  const { openapi, paths } = await plainDocumentOf(portalResources(app, { text: '' }, noInstance))
  const shaped = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [method, shapedOperation(operation)]),
      ),
    ]),
  )
  const schemas = nameSharedSchemas(shaped)
  return {
    openapi,
    info: { title: 'Reeve, what serves the portal alone', version: INTERFACE_VERSION },
    paths: shaped,
    components: { parameters: requestHeaders, schemas: { Error: plain(ErrorResponse), ...schemas } },
  }
}

interface PortalOperation extends Pick<Operation, 'responses'> {
  readonly [part: string]: unknown
}

function shapedOperation(made: PlainOperation): PortalOperation {
  const isConditional = errorCodes.version_mismatch.status in made.responses
  const asked = made.requestBody?.content[JSON_TYPE]?.schema
  const body = Object.keys(asked?.properties ?? {}).length > 0 ? asked : undefined
  return {
    summary: made.summary,
    parameters: [
      ...(made.parameters ?? []).map((parameter) => ({ ...parameter, required: false })),
      ...(isConditional ? [refTo('parameters', 'If-Match')] : []),
    ],
    ...(body ? { requestBody: { required: true, content: { [JSON_TYPE]: { schema: plain(body) } } } } : {}),
    responses: Object.fromEntries(
      Object.entries(made.responses).map(([status, { description, content }]) => [
        status,
        {
          description: description || status,
          ...(content
            ? {
                content: {
                  [JSON_TYPE]: {
                    schema:
                      status === '200'
                        ? openForMore(plain(content[JSON_TYPE]?.schema ?? {}))
                        : refTo('schemas', 'Error'),
                  },
                },
              }
            : {}),
        },
      ]),
    ),
  }
}
