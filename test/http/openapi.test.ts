import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { OpenapiDocument } from '@reeve/api/openapi/document'
import { standaloneDocument } from '@reeve/api/openapi/standalone'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createExampleData } from '../support/example-data.ts'
import { type Instance, LEGACY_PREFIX, openInstance, PUBLIC_URL } from '../support/instance.ts'
import { createValidator } from '../support/response-validator.ts'

let instance: Instance
let document: OpenapiDocument

beforeAll(async () => {
  instance = await openInstance()
  document = (await instance.request('GET', '/openapi.json')).body
})
afterAll(() => instance.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const getBodySchema = (path: string, method: string) =>
  document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema
const getQueryParameters = (path: string, method: string) =>
  (document.paths[path]?.[method]?.parameters ?? []).filter((one) => one.in === 'query')

describe('the document', () => {
  test('is valid OpenAPI 3 according to an independent validator', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has version 1.0.0 and mentions both prefixes', () => {
    expect(document.openapi).toStartWith('3.0.')
    expect([document.info.title, document.info.version]).toEqual(['Reeve', '1.0.0'])
    expect(document.info.description).toContain('/api/<name>')
    expect(document.info.description).toContain(`${LEGACY_PREFIX}/<name>`)
  })

  test('contains exactly the public API', () => {
    expect(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual(
      [
        ...['GET', 'POST'].flatMap((method) =>
          ['appeals', 'moderation', 'workspaces', '_workspace-permissions', 'endpoint-controls'].map(
            (name) => `${method} /api/${name}`,
          ),
        ),
        'POST /api/appeals/files',
        'GET /api/moderation/approvals',
        'POST /api/moderation/approvals',
        'POST /api/moderation/check',
        'GET /api/moderation/batches',
        'POST /api/moderation/batches',
        'GET /api/moderation/insights',
        'GET /api/moderation/preview',
        'GET /api/moderation/retention/preview',
        ...['GET', 'POST'].flatMap((method) =>
          ['templates', 'ladders', 'retention'].map((name) => `${method} /api/moderation/${name}`),
        ),
        'GET /api/moderation/erasures',
        'GET /api/moderation/erasures/preview',
        'POST /api/moderation/erasures',
        'GET /api/moderation/links',
        'POST /api/moderation/links',
        'GET /api/changes',
        'GET /api/changes/snapshot',
        ...['GET', 'POST', 'PATCH', 'DELETE'].flatMap((method) =>
          ['departments', 'events', 'webhooks'].map((name) => `${method} /api/${name}`),
        ),
        'GET /api/webhooks/deliveries',
        'GET /api/webhooks/events',
        'POST /api/webhooks/resend',
        'POST /api/webhooks/test',
      ].sort(),
    )
  })

  test('allows an API key or a session for every operation', () => {
    expect(Object.values(document.components.securitySchemes ?? {})).toMatchObject([
      { type: 'http', scheme: 'bearer' },
      { type: 'apiKey', in: 'cookie', name: 'reeve_session' },
    ])
    for (const { operation } of operations()) {
      expect(operation.security).toEqual([{ apiKey: [] }, { session: [] }])
    }
  })

  test('gives every operation an ID, its permissions and its errors', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations()) {
      expect(operation.summary).not.toBe('')
      expect(operation.tags).toHaveLength(1)
      for (const permission of operation['x-permissions']) {
        expect(operation.description).toContain(`\`${permission}\``)
      }
      expect(operation.responses).toHaveProperty('200.description', 'Success')
      for (const status of ['400', '401', '403', '429', '500', '503']) {
        expect(operation.responses).toHaveProperty([status, 'content', 'application/json', 'schema'], {
          $ref: '#/components/schemas/Error',
        })
      }
    }
  })

  test('describes the ETag of a ban check and of the snapshot, and the 304 of one that has not changed', () => {
    const toRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
    const paths = ['/api/moderation', '/api/changes/snapshot']
    for (const operation of paths.map((path) => document.paths[path]?.get)) {
      expect(operation?.parameters).toContainEqual(toRef('parameters', 'If-None-Match'))
      for (const status of ['200', '304'])
        expect(operation?.responses).toHaveProperty([status, 'headers', 'ETag'], toRef('headers', 'ETag'))
      expect(operation?.responses).not.toHaveProperty('304.content')
    }
    const others = operations().filter(({ path, method }) => method !== 'GET' || !paths.includes(path))
    for (const one of others) expect(one.operation.responses).not.toHaveProperty('304')
  })

  test('forbids further properties in no response, because responses can gain fields', () => {
    const responses = operations().map(({ operation }) => operation.responses)
    expect(JSON.stringify([document.components, responses])).not.toContain('additionalProperties')
  })

  test('contains no internals of the generator', () => {
    expect(JSON.stringify(document)).not.toContain('x-reeve')
    expect(JSON.stringify(document)).not.toContain('multipart/form-data')
  })

  test('is the same when served and when printed by the program', async () => {
    const written = await standaloneDocument({
      publicUrl: new URL(PUBLIC_URL),
      legacyPrefix: LEGACY_PREFIX,
    })
    expect(JSON.parse(JSON.stringify(written))).toEqual(JSON.parse(JSON.stringify(document)))
  })
})

describe('the eight operations of the specification', () => {
  const department = ['workspaceId', 'name', 'color', 'description', 'id', 'action']
  const event = [
    ...['workspaceId', 'id', 'title', 'description', 'scheduledFor', 'published', 'eventType'],
    ...[
      'imageDataUrl',
      'imageUrl',
      'image_url',
      'trainingStart',
      'trainingEnd',
      'trainingHost',
      'experienceId',
    ],
    ...['experienceName', 'experiencePlaceId', 'experienceThumbnailUrl', 'experienceUrl'],
    // Additions to the specification.
    ...['endsAt', 'hostAccountId'],
  ]
  const moderation = [
    ...['workspaceId', 'userUsername', 'userId', 'reason', 'severity', 'actorPlatformUserId'],
    ...['actorUsername', 'durationSeconds', 'evidence', 'id', 'action', 'value'],
    // Additions to the specification.
    ...['templateId', 'evidenceFiles', 'replaces'],
  ]
  const moderationQuery = [
    ...['workspaceId', 'banList', 'banHistory', 'actorUserId', 'userId', 'severity', 'status'],
    // An earlier time and paging are additions to the specification.
    ...['asOf', 'limit', 'cursor'],
  ]
  const table: readonly [string, string, readonly string[], readonly string[] | null][] = [
    ['post', '/api/moderation', moderationQuery, moderation],
    ['post', '/api/departments', ['workspaceId'], department],
    ['patch', '/api/departments', ['workspaceId'], department],
    ['post', '/api/workspaces', [], ['id', 'archive', 'fromArchive', 'action', 'groupName']],
    // The workspace as a query parameter is an addition to the specification.
    ['post', '/api/_workspace-permissions', ['workspaceId'], ['workspaceId', 'roleId', 'permissions']],
    ['post', '/api/endpoint-controls', [], null],
    ['post', '/api/events', ['workspaceId'], event],
    ['patch', '/api/events', ['workspaceId'], event],
  ]
  for (const [method, path, query, body] of table) {
    test(`${method.toUpperCase()} ${path} has exactly its fields, all strings`, () => {
      const operation = document.paths[path]?.[method]
      const parameters = getQueryParameters(path, method)
      expect(parameters.map(({ name }) => name)).toEqual([...query])
      for (const parameter of parameters) {
        expect([parameter.schema?.type, parameter.required]).toEqual(['string', false])
      }
      if (body === null) {
        expect(operation?.requestBody).toBeUndefined()
        expect(operation?.parameters).toBeUndefined()
        return
      }
      const schema = getBodySchema(path, method)
      expect(Object.keys(schema?.properties ?? {})).toEqual([...body])
      for (const field of Object.values(schema?.properties ?? {})) expect(field.type).toBe('string')
      expect([schema?.type, schema?.required]).toEqual(['object', undefined])
      expect(operation?.requestBody?.required).toBe(path !== '/api/moderation')
    })
  }
})

/** The examples of an operation: its bodies, and the URLs in its description. */
function examplesIn({ path, method, operation }: ReturnType<typeof operations>[number]) {
  const bodies = Object.entries(operation.requestBody?.content['application/json']?.examples ?? {}).map(
    ([name, { value }]) => ({ name, routePath: path, body: value as object | undefined }),
  )
  const routeLines = [...operation.description.matchAll(/^- `([A-Z]+) (\/\S+)` (.+)$/gm)].map(
    ([, , routePath = '', name = '']) => ({ name, routePath, body: undefined as object | undefined }),
  )
  const all = [...bodies, ...routeLines]
  // An operation without parameters is its own example.
  const takesNothing = !operation.requestBody && !operation.parameters
  return (takesNothing ? [{ name: 'as it is', routePath: path, body: undefined }] : all).map((one) => ({
    ...one,
    method,
    operation,
  }))
}

describe('the examples', () => {
  test('exist for every operation, including its parameters', () => {
    for (const one of operations()) {
      const examples = examplesIn(one)
      expect(examples.length, `${one.method} ${one.path}`).toBeGreaterThan(0)
      const examplesByName = Object.fromEntries(
        (one.operation.parameters ?? []).flatMap(({ name = '', example }) =>
          example === undefined ? [] : [[name, example] as const],
        ),
      )
      if (Object.keys(examplesByName).length === 0) continue
      expect(Object.fromEntries(new URL(examples[0]?.routePath ?? '', PUBLIC_URL).searchParams)).toEqual(
        examplesByName,
      )
    }
  })

  test('are all accepted in a new workspace under both prefixes, with responses as declared', async () => {
    let sent = 0
    for (const { method, path, operation } of operations()) {
      const validateResponse = createValidator(document, operation.responses['200'])
      for (const { name, routePath, body } of examplesIn({ method, path, operation })) {
        for (const prefix of ['/api', LEGACY_PREFIX]) {
          const { workspace, withInstanceIds } = await createExampleData(instance)
          const response = await instance.request(
            method,
            withInstanceIds(routePath).replace(/^\/api/, prefix),
            {
              // A key is limited to its own workspace; its owner can access the archived one as well.
              ...(path === '/api/workspaces' ? { session: workspace.ownerSession } : { key: workspace.key }),
              ...(body ? { body: withInstanceIds(JSON.stringify(body)) } : {}),
            },
          )
          expect(`${method} ${routePath} ${name}: ${response.status}`, response.text).toEndWith(': 200')
          expect(validateResponse(response.body), `${method} ${routePath} ${name}: ${response.text}`).toEqual(
            [],
          )
          sent += 1
        }
      }
    }
    expect(sent).toBeGreaterThan(80)
  }, 60_000)
})

test('every error of an operation is declared and matches the Error schema', async () => {
  const { workspace } = await createExampleData(instance)
  const validateResponse = createValidator(document, {
    content: { 'application/json': { schema: document.components.schemas.Error } },
  })
  const toPath = (path: string) => `${path}?workspaceId=${workspace.id}`
  for (const { method, path, operation } of operations()) {
    const takesBody = operation.requestBody !== undefined
    const search = path === '/api/workspaces' || path === '/api/endpoint-controls' ? path : toPath(path)
    const key = workspace.key
    const responses = await Promise.all([
      instance.request(method, path),
      instance.request(method, search),
      instance.request(method, search, { key: 'rve_junk' }),
      instance.request(method, search, { key: await instance.key(workspace.id, []) }),
      instance.request(method, `${search}${search.includes('?') ? '&' : '?'}unknown=1`, { key }),
      instance.request(method, `${toPath(path)}&id=0198c0de-dead-7000-8000-00000000dead`, { key }),
      ...(method === 'GET'
        ? []
        : ['{', '[]', '{"a":1}', `"${'x'.repeat(4 << 20)}"`].map((body) =>
            instance.request(method, search, { key, body }),
          )),
      ...(takesBody
        ? [instance.request(method, search, { key, body: 'a=1', headers: { 'content-type': 'text/plain' } })]
        : []),
    ])
    for (const { status, body, text } of responses) {
      if (status === 200) continue
      expect(Object.keys(operation.responses), `${method} ${path}: ${text}`).toContain(String(status))
      expect(validateResponse(body)).toEqual([])
    }
  }
})
