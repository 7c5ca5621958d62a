import { expect, test } from 'bun:test'
import { standaloneDocument } from '@reeve/api/openapi/standalone'
import { type BatchInput, type EventInput, type RecordInput, Reeve } from '@reeve/client'
import { severities } from '@reeve/core'

/** Operations that do the same as another one: the method of that one is enough. */
const SAME: Readonly<Record<string, string>> = { 'POST /api/endpoint-controls': 'GET /api/endpoint-controls' }

/** Fields that responses must have, and whose content no method reads. */
const OTHER_FIELDS = [
  ...['record', 'template', 'ladder', 'link', 'erasure', 'approval', 'batch', 'preview', 'retention'],
  ...['due', 'ban', 'department', 'workspace', 'role', 'event', 'webhook', 'delivery', 'sanctions'],
  ...['changes', 'from', 'resent'],
]

/** A response with every field that a method reads or expects, so that it sends what it sends first. */
const RESPONSE = {
  ...Object.fromEntries(OTHER_FIELDS.map((name) => [name, {}])),
  nextCursor: null,
  job: null,
  bans: [],
  mutes: [],
  records: [],
  templates: [],
  ladders: [],
  links: [],
  erasures: [],
  approvals: [],
  batches: [],
  results: [],
  departments: [],
  events: [],
  controls: [],
  webhooks: [],
  deliveries: [],
}

/** Fields for methods that take an object, and players for those that take a list. */
const INPUT = Object.assign(['1'], { id: 'x', userId: '1' })

type Callable = (input: object | string) => unknown

/** The methods of a client and of its resources. */
function listMethods(client: object): Callable[] {
  const ownNames = Object.getOwnPropertyNames(Object.getPrototypeOf(client))
  const methods = ownNames
    .filter((name) => name !== 'constructor' && name !== 'follow')
    .map((name) => Reflect.get(client, name))
    .filter((method): method is Callable => typeof method === 'function')
    .map((method) => method.bind(client))
  return [...methods, ...Object.values(client).flatMap((resource) => listMethods(resource))]
}

test('every operation of the OpenAPI document has a method', async () => {
  const sent = new Set<string>()
  const reeve = new Reeve({
    url: 'http://localhost',
    key: 'rve_x',
    fetch: async (url, { method }) => {
      sent.add(`${method} ${new URL(url).pathname}`)
      return Response.json(RESPONSE)
    },
  })
  for (const method of listMethods(reeve)) {
    const result = method(method.name === 'bound findBan' ? '1' : INPUT)
    // A method that reads several pages sends nothing before it is iterated.
    if (Symbol.asyncIterator in Object(result)) await (result as AsyncGenerator).next()
    else await result
  }
  const { paths } = await standaloneDocument({
    publicUrl: new URL('http://localhost'),
    legacyPrefix: '/legacy',
  })
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations.length).toBeGreaterThan(10)
  expect(operations.filter((operation) => !sent.has(SAME[operation] ?? operation))).toEqual([])
})

test('a record of a ban that needs approval contains the request for it, and any other null', async () => {
  const options = { url: 'http://localhost', key: 'rve_x' }
  const create = async (body: object) => {
    const { moderation } = new Reeve({ ...options, fetch: async () => Response.json(body) })
    return [
      await moderation.ban({ userId: '1', reason: 'x' }),
      await moderation.act({ userId: '1', templateId: 'x' }),
    ] as object[]
  }
  const record = { id: 'x' }
  const approval = { state: 'pending' }
  expect(await create({ record, approval })).toEqual(Array(2).fill({ ...record, approval }))
  expect(await create({ record })).toEqual(Array(2).fill({ ...record, approval: null }))
})

const SEQUENCES = [
  ['a number', '42'],
  ['null', null],
] as const

test.each(SEQUENCES)('a batch is started with the sequence of its preview: %s', async (_, sequence) => {
  const sent: unknown[] = []
  const { batches } = new Reeve({
    url: 'http://localhost',
    key: 'rve_x',
    fetch: async (_url, { body }) => {
      sent.push(JSON.parse(String(body)))
      return Response.json({ preview: { sequence }, batch: { id: 'x' } })
    },
  })
  const actions = [
    { action: 'ban', userIds: ['1'], reason: 'Raid' },
    { templateId: 'x', userIds: ['1'] },
  ] satisfies BatchInput[]
  for (const action of actions) {
    const preview = await batches.preview(action)
    await batches.start({ ...action, sequence: preview.sequence } satisfies BatchInput)
    expect(sent.splice(0)).toEqual([
      { ...action, dryRun: 'true' },
      { ...action, sequence },
    ])
  }
})

test('inputs accept exactly the severities and event types of the API', async () => {
  const acceptedSeverities = {
    low: true,
    medium: true,
    high: true,
    critical: true,
  } satisfies Record<NonNullable<RecordInput['severity']>, true>
  expect(Object.keys(acceptedSeverities)).toEqual([...severities])
  const acceptedTypes = {
    event: true,
    training: true,
    shift: true,
    meeting: true,
    tryout: true,
    other: true,
  } satisfies Record<NonNullable<EventInput['eventType']>, true>
  const { paths } = await standaloneDocument({
    publicUrl: new URL('http://localhost'),
    legacyPrefix: '/legacy',
  })
  const fields = paths['/api/events']?.post?.requestBody?.content['application/json']?.schema.properties ?? {}
  const names = Object.keys(acceptedTypes).map((name) => `\`${name}\``)
  expect(fields.eventType?.description).toContain(`One of ${names.join(', ')}`)
})
