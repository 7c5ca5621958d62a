import type { AppContext } from '@reeve/auth'
import { getSessionCookieName } from '@reeve/auth'
import { Elysia } from 'elysia'
import { CURRENT_PREFIX, type portalResources, publicResources } from '../resources.ts'
import { API_VERSION } from '../version.ts'
import { describeApi, tags } from './description.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { type GeneratedOperation, type Operation, toOperation } from './operation.ts'
import { errorSchema, nameSharedSchemas, type Schema } from './schema.ts'

export interface OpenapiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly [kind: string]: Record<string, unknown>
  }
  readonly [part: string]: unknown
}

/** The document as `@elysiajs/swagger` generates it. */
export interface GeneratedDocument {
  readonly openapi: string
  readonly paths: Record<string, Record<string, GeneratedOperation>>
}

const SPEC_PATH = '/openapi.json'

/**
 * Generates the OpenAPI 3 document of the public API from the routes.
 * @param legacyPrefix the second prefix, which the description mentions
 */
export async function openapiDocument(app: AppContext, legacyPrefix: string): Promise<OpenapiDocument> {
  const generated = await generateDocument(publicResources(app), CURRENT_PREFIX)
  const paths = Object.fromEntries(
    Object.entries(generated.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          toOperation(method, path, operation),
        ]),
      ),
    ]),
  )
  const schemas = nameSharedSchemas(paths)
  const usedTags = new Set(
    Object.values(paths).flatMap((path) => Object.values(path).flatMap((operation) => operation.tags)),
  )
  return {
    openapi: generated.openapi,
    info: {
      title: 'Reeve',
      version: API_VERSION,
      description: describeApi(legacyPrefix),
      license: { name: 'MIT' },
    } as OpenapiDocument['info'],
    servers: [{ url: '/', description: 'This instance' }],
    tags: Object.entries(tags)
      .filter(([name]) => usedTags.has(name))
      .map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of one workspace: `Authorization: Bearer rve_…`. API keys are created in the portal.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: getSessionCookieName(app.settings.publicUrl),
          description: 'The session of a person signed in to the portal.',
        },
      },
      parameters: requestHeaders,
      headers: responseHeaders,
      schemas: { Error: errorSchema, ...schemas },
    },
  }
}

/**
 * Generates the unprocessed document of resources. Loads `@elysiajs/swagger` on first use, so that a server that never serves
 * a document does not pay for it.
 */
export async function generateDocument(
  resources: ReturnType<typeof publicResources> | ReturnType<typeof portalResources>,
  prefix = '',
): Promise<GeneratedDocument> {
  const { swagger } = await import('@elysiajs/swagger')
  const documentApp = new Elysia()
  for (const resource of resources) documentApp.group(prefix, (at) => at.use(resource))
  documentApp.use(swagger({ path: '/docs', specPath: SPEC_PATH, scalarCDN: '/docs' }))
  const response = await documentApp.handle(new Request(`http://localhost${SPEC_PATH}`))
  return (await response.json()) as GeneratedDocument
}
