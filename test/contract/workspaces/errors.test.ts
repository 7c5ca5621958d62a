import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, type RequestOptions, UNKNOWN_ID } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'
import { quota } from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/workspaces'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Sends a request that must fail, and checks that nothing was changed. */
async function expectRejected(method: string, requestPath: string, options: RequestOptions) {
  const before = await readStoredRows(instance)
  const { status, body, headers } = await instance.request(method, requestPath, options)
  expect(await readStoredRows(instance)).toEqual(before)
  expect(body.requestId).toBe(headers.get('x-request-id'))
  return { status, ...body }
}

const expectPostRejected = (body: unknown, more: RequestOptions = {}) =>
  expectRejected('POST', path, { key: workspace.key, ...more, body })
const post = (body: Record<string, unknown>, more: RequestOptions = {}) =>
  instance.request('POST', path, { key: workspace.key, ...more, body })

describe('400: contradictory fields, each named', () => {
  const id = () => workspace.id
  const cases: [string, () => Record<string, unknown>, string[]][] = [
    ['nothing at all', () => ({}), ['groupName']],
    ['create without a name', () => ({ action: 'create' }), ['groupName']],
    ['create with an id', () => ({ action: 'create', groupName: 'A', id: id() }), ['id']],
    [
      'create with all that does not go with it',
      () => ({ action: 'create', id: id(), archive: true, fromArchive: UNKNOWN_ID }),
      ['groupName', 'id', 'fromArchive', 'archive'],
    ],
    ['an id alone', () => ({ id: id() }), ['action']],
    ['rename without a name', () => ({ action: 'rename', id: id() }), ['groupName']],
    ['rename without an id', () => ({ action: 'rename', groupName: 'A' }), ['id']],
    [
      'rename with archive',
      () => ({ action: 'rename', id: id(), groupName: 'A', archive: true }),
      ['archive'],
    ],
    [
      'rename with fromArchive',
      () => ({ action: 'rename', id: id(), groupName: 'A', fromArchive: UNKNOWN_ID }),
      ['fromArchive'],
    ],
    ['archive without an id', () => ({ action: 'archive' }), ['id']],
    ['archive=true without an id', () => ({ archive: 'true' }), ['id']],
    ['archive with archive=false', () => ({ action: 'archive', archive: false, id: id() }), ['archive']],
    ['archive with a name', () => ({ archive: true, id: id(), groupName: 'A' }), ['groupName']],
    [
      'archive=true with fromArchive',
      () => ({ archive: true, id: id(), fromArchive: UNKNOWN_ID }),
      ['fromArchive'],
    ],
    ['restore with archive=true', () => ({ action: 'restore', archive: true, id: id() }), ['archive']],
    ['restore of nothing', () => ({ action: 'restore' }), ['id']],
    ['archive=false of nothing', () => ({ archive: 'false' }), ['id']],
    ['restore as it is, with a name', () => ({ action: 'restore', id: id(), groupName: 'A' }), ['groupName']],
  ]
  for (const [description, body, fields] of cases) {
    for (const callerKind of ['key', 'session'] as const) {
      test(`${description}, by a ${callerKind}`, async () => {
        const credentials =
          callerKind === 'key' ? { key: workspace.key } : { session: workspace.ownerSession }
        const response = await expectRejected('POST', path, { ...credentials, body: body() })
        expect([response.status, response.code]).toEqual([400, 'invalid_request'])
        expect(response.details.map((detail: { field: string }) => detail.field)).toEqual(fields)
      })
    }
  }
})

describe('400: fields', () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ['an empty name', { groupName: '   ' }, ['groupName']],
    ['a name of 101 characters', { groupName: 'x'.repeat(101) }, ['groupName']],
    ['a name of two lines', { groupName: 'a\nb' }, ['groupName']],
    ['a lone surrogate', { groupName: 'a\ud800' }, ['groupName']],
    ['null', { groupName: null }, ['groupName']],
    ['an object', { groupName: { a: 1 } }, ['groupName']],
    ['an unknown action', { groupName: 'A', action: 'creat' }, ['action']],
    ['an archive that is no boolean', { archive: 'yes' }, ['archive']],
    ['an empty archive id', { fromArchive: '' }, ['fromArchive']],
    ['an unknown field', { groupName: 'A', groupname: 'B' }, ['groupname']],
    ['workspaceId, which is id here', { groupName: 'A', workspaceId: 'x' }, ['workspaceId']],
    ['several at once', { groupName: '', action: 'x', archive: '2' }, ['action', 'archive', 'groupName']],
  ]
  for (const [description, body, fields] of cases) {
    test(description, async () => {
      const response = await expectPostRejected(body)
      expect([response.status, response.code]).toEqual([400, 'invalid_request'])
      expect(response.details.map((detail: { field: string }) => detail.field).sort()).toEqual(fields)
    })
  }

  test('an emoji counts as one character, and a name of 100 of them is accepted', async () => {
    expect((await post({ groupName: '🌙'.repeat(100) })).status).toBe(200)
    expect((await expectPostRejected({ groupName: '🌙'.repeat(101) })).status).toBe(400)
  })

  test('a misspelled action gets a suggestion', async () => {
    const { details } = await expectPostRejected({ id: workspace.id, action: 'archvie' })
    expect(details[0].message).toContain('did you mean archive?')
  })

  test('a POST accepts no query parameters', async () => {
    const response = await expectRejected('POST', `${path}?id=${workspace.id}`, {
      key: workspace.key,
      body: { groupName: 'A' },
    })
    expect([response.status, response.details[0].field]).toEqual([400, 'id'])
  })

  for (const [description, query, field] of [
    ['an unknown parameter', 'archive=true', 'archive'],
    ['a limit out of range', 'limit=201', 'limit'],
    ['a cursor of another list', `cursor=${Buffer.from('["archives","x"]').toString('base64url')}`, 'cursor'],
    ['a flag that is no boolean', 'archives=yes', 'archives'],
    ['a parameter given twice', 'limit=1&limit=2', 'limit'],
  ] as const) {
    test(`GET with ${description}`, async () => {
      const response = await expectRejected('GET', `${path}?${query}`, { key: workspace.key })
      expect([response.status, response.code]).toEqual([400, 'invalid_request'])
      expect(response.details[0].field).toBe(field)
    })
  }

  test('a session must name the workspace whose archives it lists', async () => {
    const response = await expectRejected('GET', `${path}?archives=true`, { session: workspace.ownerSession })
    expect([response.status, response.details[0].field]).toEqual([400, 'id'])
  })
})

describe('404: an archive', () => {
  test('that does not exist, and one of another workspace, get the same response', async () => {
    const other = await instance.workspace()
    const { archive } = (await post({ id: other.id, archive: true }, other)).body
    const member = await instance.member(workspace.id, ['workspace.restore'])
    const readResponses = async (fromArchive: string) => {
      const actual = []
      for (const credentials of [{ key: workspace.key }, { session: workspace.ownerSession }, member]) {
        for (const id of [undefined, workspace.id]) {
          const { requestId, ...rest } = await expectPostRejected({ fromArchive, ...(id && { id }) }, {
            key: undefined,
            ...credentials,
          } as RequestOptions)
          actual.push(rest)
        }
      }
      return actual
    }
    const actual = await readResponses(archive.id)
    expect(actual).toEqual(await readResponses(UNKNOWN_ID))
    expect(actual).toEqual(await readResponses('x'))
    // Only the owner can roll back, whatever the archive.
    const rollBack = actual.pop()
    expect([rollBack?.status, rollBack?.code]).toEqual([403, 'forbidden'])
    expect(new Set(actual.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
  })
})

describe('409: the state', () => {
  test('archiving an archived workspace', async () => {
    const { id, key } = await instance.workspace()
    await post({ id, archive: true }, { key })
    const response = await expectPostRejected({ id, archive: true }, { key })
    expect([response.status, response.code, response.error]).toEqual([
      409,
      'conflict',
      'The workspace is already archived.',
    ])
  })

  test('restoring an active workspace', async () => {
    const response = await expectPostRejected({ id: workspace.id, archive: false })
    expect([response.status, response.error]).toEqual([409, 'The workspace is not archived.'])
  })

  test('rolling back an active workspace', async () => {
    const { id, key } = await instance.workspace()
    const { archive } = (await post({ id, archive: true }, { key })).body
    await post({ id, archive: false }, { key })
    const response = await expectPostRejected({ id, fromArchive: archive.id }, { key })
    expect([response.status, response.code]).toEqual([409, 'conflict'])
  })

  test('exactly one of many concurrent archive requests succeeds', async () => {
    const { id, key } = await instance.workspace()
    const readResponses = await Promise.all(
      Array.from({ length: 20 }, () => post({ id, archive: true }, { key })),
    )
    expect(readResponses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const { archives } = (await instance.request('GET', `${path}?archives=true`, { key })).body
    expect(archives).toHaveLength(1)
  })

  test('renaming an archived workspace is refused, not queued', async () => {
    const { id, key } = await instance.workspace()
    await post({ id, archive: true }, { key })
    const response = await expectPostRejected({ id, groupName: 'Later' }, { key })
    expect([response.status, response.reason]).toEqual([403, 'workspace_archived'])
  })
})

describe('412, 422 and the rest', () => {
  for (const body of [
    { groupName: 'B' },
    { archive: true },
    { archive: false },
    { fromArchive: UNKNOWN_ID },
  ]) {
    test(`a stale If-Match rejects ${Object.keys(body)}`, async () => {
      const response = await expectPostRejected(
        { id: workspace.id, ...body },
        { headers: { 'if-match': '"99"' } },
      )
      expect([response.status, response.code]).toEqual([412, 'version_mismatch'])
    })
  }

  test('an Idempotency-Key of another request', async () => {
    const headers = { 'idempotency-key': 'same' }
    await post({ groupName: 'One' }, { headers })
    const response = await expectPostRejected({ groupName: 'Two' }, { headers })
    expect([response.status, response.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('an exceeded quota rejects writes but not reads', async () => {
    const { id, key } = await instance.workspace()
    await quota(instance, id, 0)
    const response = await expectPostRejected({ id, groupName: 'A' }, { key })
    expect([response.status, response.code]).toEqual([429, 'quota_exceeded'])
    const { body } = await instance.request('GET', `${path}?id=${id}`, { key })
    expect(body.workspace.monthlyQuota).toBe('0')
  })

  for (const [description, status, code, body, headers] of [
    ['no JSON', 400, 'invalid_json', '{"groupName":', {}],
    ['a list', 400, 'invalid_json', '[]', {}],
    ['the same name twice', 400, 'invalid_json', '{"groupName":"A","groupName":"B"}', {}],
    [
      'another media type',
      415,
      'unsupported_media_type',
      '{"groupName":"A"}',
      { 'content-type': 'text/plain' },
    ],
    ['too much', 413, 'payload_too_large', `{"groupName":"${'x'.repeat(70_000)}"}`, {}],
  ] as const) {
    test(`a body of ${description}`, async () => {
      const response = await expectPostRejected(body, { headers })
      expect([response.status, response.code]).toEqual([status, code])
    })
  }

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    test(`${method} gets 405 with the allowed methods`, async () => {
      const { status, headers } = await instance.request(method, path, { key: workspace.key })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    })
  }
})
