import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints, switchableEndpoints } from '@reeve/core'
import { type Instance, openInstance } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
const path = '/api/endpoint-controls'

beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

describe('the public route takes no fields', () => {
  test('every query parameter is refused by name, also workspaceId', async () => {
    for (const method of ['GET', 'POST']) {
      for (const name of ['workspaceId', 'limit', '__proto__']) {
        const { status, body } = await instance.request(method, `${path}?${name}=x`, { key: workspace.key })
        expect([status, body.details]).toEqual([
          400,
          [{ field: name, message: 'is not a field of this request' }],
        ])
      }
    }
  })

  test('all body fields are refused by name', async () => {
    const { status, body } = await instance.request('POST', path, {
      key: workspace.key,
      body: { workspaceId: workspace.id, mode: 'off' },
    })
    expect(status).toBe(400)
    expect(body.details.map(({ field }: { field: string }) => field)).toEqual(['workspaceId', 'mode'])
  })

  test('a body that is not a JSON object is refused', async () => {
    const send = async (body: string, type = 'application/json') => {
      const response = await instance.request('POST', path, {
        key: workspace.key,
        body,
        headers: { 'content-type': type },
      })
      return [response.status, response.body.code]
    }
    expect(await send('[]')).toEqual([400, 'invalid_json'])
    expect(await send('{')).toEqual([400, 'invalid_json'])
    expect(await send('{}', 'text/plain')).toEqual([415, 'unsupported_media_type'])
    expect(await send(`{"a":"${'x'.repeat(70_000)}"}`)).toEqual([413, 'payload_too_large'])
  })

  test('other methods are refused, with the allowed ones in Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await instance.request(method, path, { key: workspace.key })
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
  })
})

describe('changing a control', () => {
  async function expectRejected(body: object) {
    const before = await readStoredRows(instance)
    const response = await instance.request('POST', '/portal/api/endpoint-controls', {
      session: workspace.ownerSession,
      body: { workspaceId: workspace.id, ...body },
    })
    expect(await readStoredRows(instance)).toEqual(before)
    return { status: response.status, ...response.body }
  }

  test('endpoints whose absence would lock people out cannot be controlled, in any mode', async () => {
    const fixed = endpoints.filter(
      (endpoint) => !(switchableEndpoints as readonly string[]).includes(endpoint),
    )
    expect(fixed).toEqual(['_workspace-permissions', 'endpoint-controls', 'webhooks'])
    for (const endpoint of fixed) {
      for (const mode of ['off', 'read_only', 'on']) {
        const { status, details } = await expectRejected({ endpoint, mode })
        expect([status, details[0].field]).toEqual([400, 'endpoint'])
        expect(details[0].message).toContain('moderation, departments, workspaces, events')
      }
    }
  })

  test('all missing fields are named', async () => {
    expect((await expectRejected({})).details).toEqual([
      { field: 'endpoint', message: 'is required' },
      { field: 'mode', message: 'is required' },
    ])
  })

  test('an unknown endpoint or mode is refused, with a suggestion', async () => {
    const { details } = await expectRejected({ endpoint: 'event', mode: 'readonly' })
    expect(details).toEqual([
      { field: 'endpoint', message: expect.stringContaining('did you mean events?') },
      { field: 'mode', message: expect.stringContaining('did you mean read_only?') },
    ])
  })

  test('a message is one line of at most 500 characters', async () => {
    for (const message of ['x'.repeat(501), 'a\nb', '\u0000', '\ud800']) {
      const { status, details } = await expectRejected({ endpoint: 'events', mode: 'off', message })
      expect([status, details[0].field]).toEqual([400, 'message'])
    }
  })

  test('the controls of an archived workspace cannot be changed', async () => {
    const { id, ownerSession, key } = await instance.workspace()
    const archived = await instance.request('POST', '/api/workspaces', { key, body: { id, archive: 'true' } })
    expect(archived.status).toBe(200)
    const { status, body } = await instance.request('POST', '/portal/api/endpoint-controls', {
      session: ownerSession,
      body: { workspaceId: id, endpoint: 'events', mode: 'off' },
    })
    expect([status, body.reason]).toEqual([403, 'workspace_archived'])
    expect((await instance.request('POST', path, { key })).status).toBe(200)
  })

  test('no request failed unexpectedly', () => {
    expect(instance.unexpectedErrors).toEqual([])
  })
})
