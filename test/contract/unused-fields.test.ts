import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { OpenapiDocument } from '@reeve/api/openapi/document'
import { type Instance, openInstance } from '../support/instance.ts'

type Fields = Readonly<Record<string, unknown>>

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const send = (path: string, body: Fields, { method = 'POST', ...headers }: Record<string, string> = {}) =>
  instance.request(method, `/api/${path}`, { key: workspace.key, body, headers })

/** A request that creates something. @returns its fields */
const creations: Readonly<Record<string, () => Fields>> = {
  departments: () => ({ name: crypto.randomUUID() }),
  events: () => ({ title: 'Training', scheduledFor: '2030-01-01T10:00:00Z' }),
  'moderation/templates': () => ({ name: crypto.randomUUID(), publicReason: 'Spam' }),
  'moderation/ladders': () => ({
    name: crypto.randomUUID(),
    steps: JSON.stringify([{ count: '1', action: 'warn' }]),
  }),
  'moderation/links': () => ({ userId: '1', linkedUserId: '2', confidence: 'low', reason: 'Same house' }),
  'moderation/batches': () => ({ action: 'note', userIds: '1', reason: 'x' }),
  webhooks: () => ({ name: 'Bans', url: 'https://example.com/', events: 'ban.created' }),
}

async function create(path: string): Promise<string> {
  const { status, body, text } = await send(path, { workspaceId: workspace.id, ...creations[path]?.() })
  if (status !== 200) throw new Error(text)
  return (Object.values(body)[0] as { id: string }).id
}

test.each(['delete', 'restore'])(
  '%p of a department names the fields that it does not use',
  async (action) => {
    const id = await create('departments')
    const body = { workspaceId: workspace.id, action, id, name: 'Other', color: '#123456' }
    for (const method of ['POST', 'PATCH'] as const) {
      const response = await send('departments', body, { method })
      expect([response.status, response.body.details]).toEqual([
        400,
        ['name', 'color'].map((field) => ({ field, message: `is not used by ${action}` })),
      ])
    }
  },
)

test.each(['archive', 'restore'])('%p of a rule names the fields that it does not use', async (action) => {
  for (const path of ['moderation/templates', 'moderation/ladders']) {
    const body = { workspaceId: workspace.id, action, id: await create(path), name: 'Other' }
    expect((await send(path, body)).body.details).toEqual([
      { field: 'name', message: `is not used by ${action}` },
    ])
  }
})

test('a change of a webhook names the fields that it does not use', async () => {
  const id = await create('webhooks')
  const expectUnused = async (fields: Fields, field: string, by: string) => {
    const { body } = await send('webhooks', { workspaceId: workspace.id, id, ...fields }, { method: 'PATCH' })
    expect(body.details).toEqual([{ field, message: `is not used by ${by}` }])
  }
  await expectUnused({ action: 'pause', name: 'Other' }, 'name', 'pause')
  await expectUnused({ action: 'resume', url: 'https://example.com/other' }, 'url', 'resume')
  await expectUnused({ action: 'rotate', name: 'Other' }, 'name', 'rotate')
  await expectUnused({ name: 'Other', graceSeconds: '5' }, 'graceSeconds', 'update')
})

const IF_MATCH_REJECTED = [
  400,
  [
    {
      field: 'If-Match',
      message: 'applies only to a change of one record that has a version, which this request is not',
    },
  ],
]

test.each([...Object.keys(creations), 'workspaces'])('creating in %p rejects If-Match', async (path) => {
  const fields = path === 'workspaces' ? { groupName: 'Other' } : { workspaceId: workspace.id }
  const { status, body } = await send(path, { ...fields, ...creations[path]?.() }, { 'if-match': '"1"' })
  expect([status, body.details]).toEqual(IF_MATCH_REJECTED)
})

test('a write that is described without If-Match rejects it', async () => {
  const { paths }: OpenapiDocument = (await instance.request('GET', '/openapi.json')).body
  const writes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { parameters = [] }]) => {
        const isConditional = parameters.some(({ $ref }) => $ref?.endsWith('/If-Match'))
        return method !== 'get' && !isConditional
      })
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
  expect(writes.map(({ path }) => path).sort()).toEqual(
    [
      'appeals',
      'appeals/files',
      'endpoint-controls',
      'moderation/batches',
      'moderation/check',
      'moderation/erasures',
      'webhooks/resend',
      'webhooks/test',
    ].map((name) => `/api/${name}`),
  )
  for (const { method, path } of writes) {
    const name = path.slice('/api/'.length)
    const body = name === 'endpoint-controls' ? {} : { workspaceId: workspace.id }
    const response = await send(name, body, { method, 'if-match': '"1"' })
    expect([path, response.status, response.body.details]).toEqual([path, ...IF_MATCH_REJECTED])
  }
})

test('an order of templates and a read by POST reject If-Match', async () => {
  const ids = JSON.stringify([await create('moderation/templates')])
  for (const [path, fields] of [
    ['moderation/templates', { action: 'order', ids }],
    ['moderation?banList=true', {}],
  ] as const) {
    const response = await send(path, { workspaceId: workspace.id, ...fields }, { 'if-match': '"1"' })
    expect([response.status, response.body.details]).toEqual(IF_MATCH_REJECTED)
  }
})

test('a read rejects If-Match, and * is of any version', async () => {
  const id = await create('departments')
  const path = `/api/departments?workspaceId=${workspace.id}&id=${id}`
  for (const method of ['GET', 'HEAD']) {
    const read = (version: string) =>
      instance.request(method, path, { key: workspace.key, headers: { 'if-match': version } })
    expect([(await read('"1"')).status, (await read('*')).status]).toEqual([400, 200])
  }
  const { status, body } = await instance.request('GET', path, {
    key: workspace.key,
    headers: { 'if-match': '"1"' },
  })
  expect([status, body.details]).toEqual(IF_MATCH_REJECTED)
})
