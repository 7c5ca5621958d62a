import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, openInstance, PUBLIC_URL, type RequestOptions } from '../../support/instance.ts'
import {
  quota,
  SWITCHED_OFF_MESSAGE,
  setArchived,
  setEndpointControl,
} from '../../support/workspace-states.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const outcome = ({ status, body }: { status: number; body: { reason?: string; code?: string } }) => [
  status,
  body?.reason ?? body?.code,
]
const createPath = () => `/api/departments?workspaceId=${workspace.id}`

describe('the order of checks', () => {
  test('a request fails with the first error in this order, whatever errors come later', async () => {
    const target = await openInstance({ keyRatePerMinute: 6 })
    const limitedWorkspace = await target.workspace()
    const limitedKey = await target.key(limitedWorkspace.id, ['moderation.view'])
    const other = await target.workspace()
    const path = `/api/departments?workspaceId=${limitedWorkspace.id}`
    const large = { body: `{"name":"${'x'.repeat(70_000)}"}` }
    const invalidBody = { name: 7.5, colour: 'red' }
    const step = (method: string, to: string, more: RequestOptions) =>
      target.request(method, to, more).then(outcome)

    expect(await step('PUT', '/api/departments', large)).toEqual([405, 'method_not_allowed'])
    expect(
      await step('POST', '/api/departments', { ...large, headers: { 'content-type': 'text/plain' } }),
    ).toEqual([413, 'payload_too_large'])
    expect(
      await step('POST', '/api/departments', { body: '{', headers: { 'content-type': 'text/plain' } }),
    ).toEqual([415, 'unsupported_media_type'])
    expect(await step('POST', '/api/departments', { body: '{' })).toEqual([400, 'invalid_json'])
    expect(await step('POST', '/api/departments', { body: invalidBody })).toEqual([
      400,
      'missing_workspace_id',
    ])
    expect(await step('POST', path, { body: invalidBody })).toEqual([401, 'missing_credentials'])
    expect(await step('POST', path, { body: invalidBody, key: other.key })).toEqual([403, 'wrong_workspace'])
    expect(await step('POST', path, { body: invalidBody, session: other.ownerSession })).toEqual([
      403,
      'not_a_member',
    ])

    // Rate limit, quota, workspace state, endpoint control, permission, fields.
    await quota(target, limitedWorkspace.id, 0)
    await setArchived(target, limitedWorkspace.id, true)
    await setEndpointControl(target, limitedWorkspace.id, 'departments', 'off')
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([429, 'quota_exceeded'])
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([429, 'rate_limited'])
    await quota(target, limitedWorkspace.id, null)
    target.clock.advance(60_000)
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([
      403,
      'workspace_archived',
    ])
    await setArchived(target, limitedWorkspace.id, false)
    target.clock.advance(60_000)
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([
      403,
      'endpoint_disabled',
    ])
    await setEndpointControl(target, limitedWorkspace.id, 'departments', 'read_only')
    target.clock.advance(60_000)
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([
      403,
      'endpoint_read_only',
    ])
    await setEndpointControl(target, limitedWorkspace.id, 'departments', null)
    target.clock.advance(60_000)
    expect(await step('POST', path, { body: invalidBody, key: limitedKey })).toEqual([
      403,
      'missing_permission',
    ])
    expect(await step('POST', path, { body: invalidBody, key: limitedWorkspace.key })).toEqual([
      400,
      'invalid_request',
    ])
    await target.close()
  })

  test('an invalid field that decides the permission is reported after all other checks', async () => {
    const target = await openInstance()
    const { id, ownerSession } = await target.workspace()
    const other = await target.workspace()
    const key = await target.key(id, [])
    const step = (more: RequestOptions) =>
      target
        .request('POST', `/api/moderation?workspaceId=${id}`, {
          body: { action: 'bann', userId: '1' },
          ...more,
        })
        .then(outcome)

    expect(await step({})).toEqual([401, 'missing_credentials'])
    expect(await step({ key: other.key })).toEqual([403, 'wrong_workspace'])
    expect(await step({ session: other.ownerSession })).toEqual([403, 'not_a_member'])
    expect(await step({ key })).toEqual([400, 'invalid_request'])
    expect(await step({ key, body: { action: 'ban', userId: {} } })).toEqual([403, 'missing_permission'])
    expect(await step({ key, body: { userId: {} } })).toEqual([400, 'invalid_request'])
    await setArchived(target, id, true)
    expect(await step({ key })).toEqual([403, 'workspace_archived'])
    expect(await step({ session: ownerSession })).toEqual([403, 'workspace_archived'])
    await target.close()
  })

  test('a disabled endpoint returns its stored message', async () => {
    await setEndpointControl(instance, workspace.id, 'departments', 'off')
    const response = await instance.request('GET', createPath(), { key: workspace.key })
    expect([response.status, response.body.error]).toEqual([403, SWITCHED_OFF_MESSAGE])
    await setEndpointControl(instance, workspace.id, 'departments', null)
  })
})

describe('the workspace of a request', () => {
  test('can be given in the query or in the body', async () => {
    const key = workspace.key
    expect((await instance.request('POST', createPath(), { key, body: { name: 'query' } })).status).toBe(200)
    const body = { name: 'body', workspaceId: workspace.id }
    expect((await instance.request('POST', '/api/departments', { key, body })).status).toBe(200)
    const both = { name: 'both', workspaceId: workspace.id }
    expect((await instance.request('POST', createPath(), { key, body: both })).status).toBe(200)
    const upperCasePath = `/api/departments?workspaceId=${workspace.id.toUpperCase()}`
    expect((await instance.request('GET', upperCasePath, { key })).status).toBe(200)
  })

  test('is rejected if query and body differ', async () => {
    const other = await instance.workspace()
    for (const [query, inBody] of [
      [workspace.id, other.id],
      [other.id, workspace.id],
      [workspace.id, ''],
    ]) {
      const response = await instance.request('POST', `/api/departments?workspaceId=${query}`, {
        key: query === workspace.id ? workspace.key : other.key,
        body: { name: 'x', workspaceId: inBody },
      })
      expect([response.status, response.body.details]).toEqual([
        400,
        [{ field: 'workspaceId', message: 'differs between query and body' }],
      ])
    }
  })

  test('is required: without it, every caller gets the specified error', async () => {
    for (const more of [{}, { key: workspace.key }, { key: 'junk' }, { session: workspace.ownerSession }]) {
      for (const path of [
        '/api/departments',
        '/api/departments?workspaceId=',
        '/api/departments?workspaceId=%20',
      ]) {
        const response = await instance.request('GET', path, more)
        expect(response.status).toBe(400)
        expect(response.body).toEqual({
          error: 'Missing workspaceId',
          code: 'missing_workspace_id',
          requestId: response.headers.get('x-request-id'),
        })
      }
    }
    for (const body of [{}, { workspaceId: null }, { workspaceId: '' }, { workspaceId: ' \t' }]) {
      const response = await instance.request('POST', '/api/departments', { body })
      expect(response.body.error).toBe('Missing workspaceId')
    }
  })

  test('is forbidden if it is not a valid id', async () => {
    for (const id of ['junk', '0', "' or 1=1", 'ü'.repeat(300)]) {
      const path = `/api/departments?workspaceId=${encodeURIComponent(id)}`
      expect(outcome(await instance.request('GET', path, { key: workspace.key }))).toEqual([
        403,
        'wrong_workspace',
      ])
      const session = workspace.ownerSession
      expect(outcome(await instance.request('GET', path, { session }))).toEqual([403, 'not_a_member'])
    }
    const response = await instance.request('POST', '/api/departments', {
      key: workspace.key,
      body: { workspaceId: { id: workspace.id }, name: 'x' },
    })
    expect(outcome(response)).toEqual([403, 'wrong_workspace'])
  })
})

describe('duplicate and misplaced fields', () => {
  const formatRejection = (response: { status: number; body: { details?: unknown } }) => [
    response.status,
    response.body.details,
  ]

  test('a duplicate query parameter is rejected', async () => {
    for (const duplicatedBody of [
      'limit=1&limit=2',
      'limit=1&limit=1',
      'limit=1&%6Cimit=2',
      `workspaceId=${workspace.id}`,
    ]) {
      const response = await instance.request('GET', `${createPath()}&${duplicatedBody}`, {
        key: workspace.key,
      })
      const field = duplicatedBody.startsWith('workspaceId') ? 'workspaceId' : 'limit'
      expect(formatRejection(response)).toEqual([400, [{ field, message: 'is given more than once' }]])
    }
  })

  test('a duplicate JSON name is rejected and named, also if it is escaped', async () => {
    for (const [name, body] of [
      ['name', '{"name":"a","name":"b"}'],
      ['name', '{"name":"a","n\\u0061me":"b"}'],
      ['name', '{"name":"a:\\"b","name":"a:\\"b"}'],
      ['color', '{ "name" : "a" , "color" : "name" , "color"\t: "name" }'],
      ['a\\"b', '{"name":["a\\"b","a\\"b"],"a\\"b":1,"a\\"b":2}'],
    ]) {
      const response = await instance.request('POST', createPath(), { key: workspace.key, body })
      expect([response.status, response.body.error]).toEqual([
        400,
        `The request body contains the name "${name}" twice.`,
      ])
    }
    for (const name of ['a: "b": c', '\\":":', 'back\\', '{"x":1}']) {
      const response = await instance.request('POST', createPath(), {
        key: workspace.key,
        body: { name, color: '#fff' },
      })
      expect([name, response.status]).toEqual([name, 200])
    }
  })

  test('a body in another encoding or with a byte order mark is rejected with that reason', async () => {
    for (const [body, message] of [
      [Buffer.from('{"name":"Café"}', 'latin1'), 'The request body is not valid UTF-8; send JSON in UTF-8.'],
      [
        Buffer.from('\ufeff{"name":"A"}'),
        'The request body begins with a byte order mark; send UTF-8 without it.',
      ],
    ] as const) {
      const response = await instance.fetch(
        new Request(`${PUBLIC_URL}${createPath()}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' },
          body,
        }),
      )
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'invalid_json', error: message },
      ])
    }
  })

  test('fields in the body of a DELETE are rejected', async () => {
    const response = await instance.request('DELETE', createPath(), {
      key: workspace.key,
      body: { id: 'x', other: 1 },
    })
    const message = 'belongs in the query: this method takes no body'
    expect(formatRejection(response)).toEqual([
      400,
      [
        { field: 'id', message },
        { field: 'other', message },
      ],
    ])
  })

  test('an unknown parameter is rejected with a suggestion', async () => {
    const response = await instance.request('GET', `${createPath()}&limitt=3`, { key: workspace.key })
    expect(formatRejection(response)).toEqual([
      400,
      [{ field: 'limitt', message: 'is not a field of this request; did you mean limit?' }],
    ])
    const wrongCase = await instance.request('GET', `${createPath()}&Limit=3`, { key: workspace.key })
    expect(wrongCase.body.details[0].message).toContain('did you mean limit?')
  })
})
