import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type CallOptions, type Instance, NEVER_WAS, openInstance } from '../../support/instance.ts'
import { quota } from '../../support/states.ts'
import { stored } from '../../support/stored.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/workspaces'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** Makes a call that must be refused, and shows that nothing was changed. */
async function refused(method: string, address: string, given: CallOptions) {
  const before = await stored(instance)
  const { status, body, headers } = await instance.call(method, address, given)
  expect(await stored(instance)).toEqual(before)
  expect(body.requestId).toBe(headers.get('x-request-id'))
  return { status, ...body }
}

const refusedPost = (body: unknown, more: CallOptions = {}) =>
  refused('POST', path, { key: workspace.key, ...more, body })
const post = (body: Record<string, unknown>, more: CallOptions = {}) =>
  instance.call('POST', path, { key: workspace.key, ...more, body })

describe('400: contradictions, each named', () => {
  const id = () => workspace.id
  const cases: [string, () => Record<string, unknown>, string[]][] = [
    ['nothing at all', () => ({}), ['groupName']],
    ['create without a name', () => ({ action: 'create' }), ['groupName']],
    ['create with an id', () => ({ action: 'create', groupName: 'A', id: id() }), ['id']],
    [
      'create with all that does not go with it',
      () => ({ action: 'create', id: id(), archive: true, fromArchive: NEVER_WAS }),
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
      () => ({ action: 'rename', id: id(), groupName: 'A', fromArchive: NEVER_WAS }),
      ['fromArchive'],
    ],
    ['archive without an id', () => ({ action: 'archive' }), ['id']],
    ['archive=true without an id', () => ({ archive: 'true' }), ['id']],
    ['archive with archive=false', () => ({ action: 'archive', archive: false, id: id() }), ['archive']],
    ['archive with a name', () => ({ archive: true, id: id(), groupName: 'A' }), ['groupName']],
    [
      'archive=true with fromArchive',
      () => ({ archive: true, id: id(), fromArchive: NEVER_WAS }),
      ['fromArchive'],
    ],
    ['restore with archive=true', () => ({ action: 'restore', archive: true, id: id() }), ['archive']],
    ['restore of nothing', () => ({ action: 'restore' }), ['id']],
    ['archive=false of nothing', () => ({ archive: 'false' }), ['id']],
    ['restore as it is, with a name', () => ({ action: 'restore', id: id(), groupName: 'A' }), ['groupName']],
  ]
  for (const [words, body, fields] of cases) {
    for (const who of ['key', 'session'] as const) {
      test(`${words}, by a ${who}`, async () => {
        const as = who === 'key' ? { key: workspace.key } : { session: workspace.ownerSession }
        const answer = await refused('POST', path, { ...as, body: body() })
        expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
        expect(answer.details.map((one: { field: string }) => one.field)).toEqual(fields)
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
  for (const [words, body, fields] of cases) {
    test(words, async () => {
      const answer = await refusedPost(body)
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
      expect(answer.details.map((one: { field: string }) => one.field).sort()).toEqual(fields)
    })
  }

  test('an emoji counts as one character, and a name of 100 of them is accepted', async () => {
    expect((await post({ groupName: '🌙'.repeat(100) })).status).toBe(200)
    expect((await refusedPost({ groupName: '🌙'.repeat(101) })).status).toBe(400)
  })

  test('a mistyped action is told what was meant', async () => {
    const { details } = await refusedPost({ id: workspace.id, action: 'archvie' })
    expect(details[0].message).toContain('did you mean archive?')
  })

  test('the query of a POST names nothing', async () => {
    const answer = await refused('POST', `${path}?id=${workspace.id}`, {
      key: workspace.key,
      body: { groupName: 'A' },
    })
    expect([answer.status, answer.details[0].field]).toEqual([400, 'id'])
  })

  for (const [words, query, field] of [
    ['an unknown parameter', 'archive=true', 'archive'],
    ['a limit out of range', 'limit=201', 'limit'],
    ['a cursor of another list', `cursor=${Buffer.from('["archives","x"]').toString('base64url')}`, 'cursor'],
    ['a flag that is no boolean', 'archives=yes', 'archives'],
    ['a parameter given twice', 'limit=1&limit=2', 'limit'],
  ] as const) {
    test(`GET with ${words}`, async () => {
      const answer = await refused('GET', `${path}?${query}`, { key: workspace.key })
      expect([answer.status, answer.code]).toEqual([400, 'invalid_request'])
      expect(answer.details[0].field).toBe(field)
    })
  }

  test('a session asks for the archives of a workspace, not of all', async () => {
    const answer = await refused('GET', `${path}?archives=true`, { session: workspace.ownerSession })
    expect([answer.status, answer.details[0].field]).toEqual([400, 'id'])
  })
})

describe('404: an archive', () => {
  test('that never was, and one of another workspace, are answered exactly alike', async () => {
    const other = await instance.workspace()
    const { archive } = (await post({ id: other.id, archive: true }, other)).body
    const member = await instance.member(workspace.id, ['workspace.restore'])
    const answers = async (fromArchive: string) => {
      const seen = []
      for (const as of [{ key: workspace.key }, { session: workspace.ownerSession }, member]) {
        for (const id of [undefined, workspace.id]) {
          const { requestId, ...rest } = await refusedPost({ fromArchive, ...(id && { id }) }, {
            key: undefined,
            ...as,
          } as CallOptions)
          seen.push(rest)
        }
      }
      return seen
    }
    const seen = await answers(archive.id)
    expect(seen).toEqual(await answers(NEVER_WAS))
    expect(seen).toEqual(await answers('x'))
    expect(new Set(seen.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['404 not_found']))
  })
})

describe('409: the state', () => {
  test('archiving an archived workspace', async () => {
    const { id, key } = await instance.workspace()
    await post({ id, archive: true }, { key })
    const answer = await refusedPost({ id, archive: true }, { key })
    expect([answer.status, answer.code, answer.error]).toEqual([
      409,
      'conflict',
      'The workspace is archived already.',
    ])
  })

  test('restoring a workspace in use', async () => {
    const answer = await refusedPost({ id: workspace.id, archive: false })
    expect([answer.status, answer.error]).toEqual([409, 'The workspace is not archived.'])
  })

  test('rolling a workspace in use back', async () => {
    const { id, key } = await instance.workspace()
    const { archive } = (await post({ id, archive: true }, { key })).body
    await post({ id, archive: false }, { key })
    const answer = await refusedPost({ id, fromArchive: archive.id }, { key })
    expect([answer.status, answer.code]).toEqual([409, 'conflict'])
  })

  test('of many who archive at once exactly one does', async () => {
    const { id, key } = await instance.workspace()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ id, archive: true }, { key })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const { archives } = (await instance.call('GET', `${path}?archives=true`, { key })).body
    expect(archives).toHaveLength(1)
  })

  test('renaming an archived workspace is refused, not queued', async () => {
    const { id, key } = await instance.workspace()
    await post({ id, archive: true }, { key })
    const answer = await refusedPost({ id, groupName: 'Later' }, { key })
    expect([answer.status, answer.reason]).toEqual([403, 'workspace_archived'])
  })
})

describe('412, 422 and the rest', () => {
  for (const body of [
    { groupName: 'B' },
    { archive: true },
    { archive: false },
    { fromArchive: NEVER_WAS },
  ]) {
    test(`a stale If-Match stops ${Object.keys(body)}`, async () => {
      const answer = await refusedPost({ id: workspace.id, ...body }, { headers: { 'if-match': '"99"' } })
      expect([answer.status, answer.code]).toEqual([412, 'version_mismatch'])
    })
  }

  test('an Idempotency-Key of another request', async () => {
    const headers = { 'idempotency-key': 'same' }
    await post({ groupName: 'One' }, { headers })
    const answer = await refusedPost({ groupName: 'Two' }, { headers })
    expect([answer.status, answer.code]).toEqual([422, 'idempotency_mismatch'])
  })

  test('a used-up quota stops writes and no reads', async () => {
    const { id, key } = await instance.workspace()
    await quota(instance, id, 0)
    const answer = await refusedPost({ id, groupName: 'A' }, { key })
    expect([answer.status, answer.code]).toEqual([429, 'quota_exceeded'])
    const { body } = await instance.call('GET', `${path}?id=${id}`, { key })
    expect(body.workspace.monthlyQuota).toBe('0')
  })

  for (const [words, status, code, body, headers] of [
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
    test(`a body of ${words}`, async () => {
      const answer = await refusedPost(body, { headers })
      expect([answer.status, answer.code]).toEqual([status, code])
    })
  }

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    test(`${method} is told which methods answer`, async () => {
      const { status, headers } = await instance.call(method, path, { key: workspace.key })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    })
  }
})
