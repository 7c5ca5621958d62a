import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type RequestOptions } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
let other: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/departments'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
  other = await instance.workspace()
})
afterAll(() => instance.close())

const toPath = (query: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`
const write = (method: string, body: unknown, headers: Record<string, string> = {}) =>
  instance.request(method, toPath(), { key: workspace.key, body, headers })
const create = async (name: string) => (await write('POST', { name })).body.department

/** Sends a request that must be rejected, and checks that it changed nothing. */
async function expectRejected(method: string, requestPath: string, options: RequestOptions) {
  const before = await readStoredRows(instance)
  const { status, body, headers } = await instance.request(method, requestPath, {
    key: workspace.key,
    ...options,
  })
  expect(await readStoredRows(instance)).toEqual(before)
  expect(body.requestId).toBe(headers.get('x-request-id'))
  return { status, code: body.code, error: body.error, details: body.details }
}
const rejectedBody = (method: string, body: unknown, headers: Record<string, string> = {}) =>
  expectRejected(method, toPath(), { body, headers })
const field = (name: string, message: unknown = expect.any(String)) => ({
  status: 400,
  code: 'invalid_request',
  error: expect.any(String),
  details: [{ field: name, message }],
})

describe('400', () => {
  test('a request without a workspaceId gets exactly `Missing workspaceId`, whatever its credentials', async () => {
    for (const options of [{}, { key: 'rve_junk' }, { key: workspace.key }]) {
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { name: 'A' }],
        ['PATCH', { workspaceId: '' }],
        ['DELETE', undefined],
      ] as const) {
        const { status, body: answered } = await instance.request(method, path, { ...options, body })
        expect([status, answered.error, answered.code]).toEqual([
          400,
          'Missing workspaceId',
          'missing_workspace_id',
        ])
      }
    }
  })

  test('a workspaceId that differs between query and body is rejected', async () => {
    expect(await rejectedBody('POST', { workspaceId: other.id, name: 'A' })).toEqual(
      field('workspaceId', 'differs between query and body'),
    )
  })

  const texts: Record<string, unknown> = {
    'cut short': '{"name":"A"',
    'not an object': '["A"]',
    'a bare string': '"A"',
    'null itself': 'null',
    'the same name twice': '{"name":"A","name":"B"}',
    'a byte order mark': '\ufeff{"name":"A"}',
  }
  for (const [description, text] of Object.entries(texts)) {
    test(`a body that is ${description} is invalid JSON`, async () => {
      expect(await rejectedBody('POST', text)).toMatchObject({ status: 400, code: 'invalid_json' })
    })
  }

  test('an unknown field is named, with a suggestion', async () => {
    expect(await rejectedBody('POST', { name: 'A', discription: 'x' })).toEqual(
      field('discription', 'is not a field of this request; did you mean description?'),
    )
    expect(await rejectedBody('POST', { name: 'A', Name: 'x' })).toEqual(
      field('Name', 'is not a field of this request; did you mean name?'),
    )
  })

  test('an unknown or repeated query parameter is named', async () => {
    expect(await expectRejected('GET', toPath({ Limit: '3' }), {})).toEqual(
      field('Limit', expect.stringContaining('limit')),
    )
    expect(await expectRejected('GET', `${toPath()}&limit=1&limit=2`, {})).toEqual(
      field('limit', 'is given more than once'),
    )
    expect(await expectRejected('POST', `${toPath()}&name=x`, { body: { name: 'x' } })).toEqual(field('name'))
  })

  const notTexts = [null, 1.5, 1e300, ['a'], { a: 'b' }]
  const values: Record<string, readonly unknown[]> = {
    name: [...notTexts, '', '   ', '\u200b', 'x'.repeat(101), 'a\nb', 'a\u0000b', '\ud800'],
    color: ['', 'red', '#12', '#12345g', 0, [], {}],
    description: ['x'.repeat(1001), 'a\u0007b', {}, []],
    id: ['', 'x'.repeat(65), {}],
    action: ['', 'Create', 'explode', null],
  }
  for (const [name, invalidValues] of Object.entries(values)) {
    test(`${name} is named if its value is invalid`, async () => {
      for (const value of invalidValues) {
        const body = { ...(name === 'name' ? {} : { name: 'A' }), [name]: value }
        expect({ value, ...(await rejectedBody('POST', body)) }).toEqual({ value, ...field(name) })
      }
    })
  }

  test('every invalid field is listed, not only the first', async () => {
    const response = await rejectedBody('POST', { name: '', color: 'red', colour: '#fff' })
    expect(response.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
      'color',
      'colour',
      'name',
    ])
  })

  test('creating without a name, and updating without an id, name the missing field', async () => {
    expect(await rejectedBody('POST', {})).toEqual(field('name', 'is required'))
    expect(await rejectedBody('PATCH', { name: 'A' })).toEqual(field('id', 'is required'))
    expect(await rejectedBody('POST', { action: 'delete' })).toEqual(field('id', 'is required'))
    expect(await expectRejected('DELETE', toPath(), {})).toEqual(field('id', 'is required'))
  })

  test('PATCH does not create, and a create rejects an id', async () => {
    expect((await rejectedBody('PATCH', { action: 'create', name: 'A' })).status).toBe(400)
    expect(await rejectedBody('POST', { action: 'create', name: 'A', id: other.id })).toEqual(field('id'))
  })

  test('invalid limits and cursors are rejected', async () => {
    for (const limit of ['0', '201', '-1', '1.5', 'x', ''])
      expect(await expectRejected('GET', toPath({ limit }), {})).toEqual(field('limit'))
    const cursors = ['x', '', 'WyJyZWNvcmRzIiw0MF0', 'W10', 'bnVsbA', 'e30', 'WyJkZXBhcnRtZW50cyIsMSwyXQ']
    for (const cursor of cursors)
      expect(await expectRejected('GET', toPath({ cursor }), {})).toEqual(field('cursor'))
  })

  test('a malformed If-Match or Idempotency-Key is named', async () => {
    expect(await rejectedBody('POST', { name: 'A' }, { 'if-match': '1' })).toEqual(field('If-Match'))
    expect(await rejectedBody('POST', { name: 'A' }, { 'if-match': 'W/"1"' })).toEqual(field('If-Match'))
    expect(await rejectedBody('POST', { name: 'A' }, { 'idempotency-key': 'x'.repeat(256) })).toEqual(
      field('Idempotency-Key'),
    )
  })
})

describe('404', () => {
  test('an id that does not exist, or is deleted, is not found', async () => {
    const created = await create('Gone')
    await write('PATCH', { id: created.id, action: 'delete' })
    for (const id of [created.id, '0198c0de-dead-7000-8000-00000000dead', 'junk', '1']) {
      expect(await expectRejected('GET', toPath({ id }), {})).toMatchObject({
        status: 404,
        code: 'not_found',
      })
      expect(await expectRejected('DELETE', toPath({ id }), {})).toMatchObject({
        status: 404,
        code: 'not_found',
      })
      expect(await rejectedBody('PATCH', { id, name: 'B' })).toMatchObject({ status: 404, code: 'not_found' })
    }
  })
})

describe('409', () => {
  test('a name is unique among departments that are not deleted, ignoring case', async () => {
    await create('Taken')
    const second = await create('Second')
    for (const name of ['Taken', 'TAKEN', ' taken ']) {
      expect(await rejectedBody('POST', { name })).toMatchObject({ status: 409, code: 'conflict' })
      expect(await rejectedBody('PATCH', { id: second.id, name })).toMatchObject({ status: 409 })
    }
  })

  test('a name taken in the meantime prevents a restore', async () => {
    const created = await create('Contested')
    await write('PATCH', { id: created.id, action: 'delete' })
    await create('contested')
    expect(await rejectedBody('PATCH', { id: created.id, action: 'restore' })).toMatchObject({ status: 409 })
  })

  test('a department that is not deleted cannot be restored', async () => {
    const created = await create('Alive')
    expect(await rejectedBody('POST', { id: created.id, action: 'restore' })).toMatchObject({ status: 409 })
  })

  test('concurrent requests with one Idempotency-Key create one department', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => write('POST', { name: 'Racing' }, { 'idempotency-key': 'race' })),
    )
    const fulfilled = responses.filter(({ status }) => status === 200)
    expect(fulfilled.length).toBeGreaterThan(0)
    expect(new Set(fulfilled.map(({ body }) => body.department.id)).size).toBe(1)
  })
})

test('412: a stale If-Match changes nothing', async () => {
  const created = await create('Fresh')
  await write('PATCH', { id: created.id, color: '#111111' })
  const staleHeaders = { 'if-match': '"1"' }
  for (const fields of [{ action: 'update', color: '#222222' }, { action: 'delete' }]) {
    expect(await rejectedBody('PATCH', { id: created.id, ...fields }, staleHeaders)).toMatchObject({
      status: 412,
      code: 'version_mismatch',
    })
  }
  expect(await expectRejected('DELETE', toPath({ id: created.id }), { headers: staleHeaders })).toMatchObject(
    { status: 412 },
  )
})

test('413: a body of more than 64 KiB is rejected by its length', async () => {
  const response = await rejectedBody('POST', { name: 'A', description: 'x'.repeat(64 * 1024) })
  expect(response).toMatchObject({ status: 413, code: 'payload_too_large' })
})

test('415: a body of another media type is rejected', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
    expect(await rejectedBody('POST', '{"name":"A"}', { 'content-type': type })).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    })
  }
})

test('422: an Idempotency-Key is rejected for a second, different request', async () => {
  const headers = { 'idempotency-key': 'reused' }
  expect((await write('POST', { name: 'First of two' }, headers)).status).toBe(200)
  expect(await rejectedBody('POST', { name: 'Second of two' }, headers)).toMatchObject({
    status: 422,
    code: 'idempotency_mismatch',
  })
})

describe('429', () => {
  test('over the rate limit, a request succeeds after exactly Retry-After', async () => {
    const limited = await openInstance({ keyRatePerMinute: 12 })
    const { id, key } = await limited.workspace()
    const readDepartments = () => limited.request('GET', `${path}?workspaceId=${id}`, { key })
    expect([(await readDepartments()).status, (await readDepartments()).status]).toEqual([200, 200])
    const third = await readDepartments()
    expect([third.status, third.body.code]).toEqual([429, 'rate_limited'])
    expect(third.headers.get('ratelimit')).toBe('"key";r=0;t=10')
    limited.clock.advance(Number(third.headers.get('retry-after')) * 1000)
    expect((await readDepartments()).status).toBe(200)
    await limited.close()
  })

  test('over the quota, writes are rejected and reads are not', async () => {
    await quota(instance, other.id, 1)
    const search = `${path}?workspaceId=${other.id}`
    const body = { name: 'A' }
    expect((await instance.request('POST', search, { key: other.key, body })).status).toBe(200)
    const second = await instance.request('POST', search, { key: other.key, body: { name: 'B' } })
    expect([second.status, second.body.code]).toEqual([429, 'quota_exceeded'])
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await instance.request('GET', search, { key: other.key })).status).toBe(200)
  })
})
