import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { receiveLimits } from '@reeve/http'
import { type Instance, openInstance } from '../support/instance.ts'
import type { InstanceOptions } from '../support/instance-options.ts'
import { formatRequest, openConnection, type RawConnection } from '../support/raw-connection.ts'

const MIB = 1024 * 1024

describe('a body of a caller without valid credentials', () => {
  let instance: Instance
  let workspace: Awaited<ReturnType<Instance['workspace']>>
  beforeAll(async () => {
    instance = await openInstance()
    workspace = await instance.workspace()
  })
  afterAll(() => instance.close())

  const createEvent = (length: number, headers: Record<string, string> = {}) =>
    instance.request('POST', `/api/events?workspaceId=${workspace.id}`, {
      body: `{"title":"${'x'.repeat(length)}"}`,
      headers,
    })

  test('is not read beyond 64 KiB: the error of the credentials is the response', async () => {
    const junk = { authorization: 'Bearer junk' }
    for (const length of [70_000, 3 * MIB - 100]) {
      for (const [headers, reason] of [
        [{}, 'missing_credentials'],
        [junk, 'invalid_key'],
        [{ cookie: 'reeve_session=junk' }, 'invalid_session'],
      ] as const) {
        const response = await createEvent(length, headers)
        expect([response.status, response.body.reason]).toEqual([401, reason])
        expect(response.headers.get('connection')).toBe('close')
      }
    }
    const keyElsewhere = await instance.key(workspace.id, ['events.manage'], {
      allowedAddresses: ['192.0.2.1'],
    })
    const rejected = await createEvent(70_000, { authorization: `Bearer ${keyElsewhere}` })
    expect([rejected.status, rejected.body.reason]).toEqual([403, 'address_not_allowed'])
    expect((await createEvent(70_000, { authorization: `Bearer ${workspace.key}` })).body).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'title' }],
    })
  })

  test('is not read beyond 64 KiB if it has no length', async () => {
    const sent: number[] = []
    const response = await instance.fetch(
      new Request(`http://localhost:3000/api/events?workspaceId=${workspace.id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new ReadableStream({
          pull(controller) {
            sent.push(10_000)
            controller.enqueue(new Uint8Array(10_000))
          },
        }),
      }),
    )
    expect(response.status).toBe(401)
    // What was sent in the meantime is dropped, up to 4 MiB, so that the client receives the response.
    expect(sent.length * 10_000).toBeLessThan(5 * MIB)
  })

  test('is checked as before if it is smaller, and rejected as too large beyond the limit of the endpoint', async () => {
    const tooLong = { 'content-length': String(4 * MIB) }
    expect((await createEvent(4 * MIB, tooLong)).status).toBe(413)
    const path = `/api/events?workspaceId=${workspace.id}`
    expect((await instance.request('POST', path, { body: '{' })).body.code).toBe('invalid_json')
    const signIn = { username: 'x'.repeat(70_000), password: 'x' }
    expect((await instance.request('POST', '/portal/api/sign-in', { body: signIn })).status).toBe(413)
  })

  test('has at most 64 members and 1,000 list items, like every other body', async () => {
    const post = (body: string, key?: string) =>
      instance.request('POST', '/api/events', { body, ...(key && { key }) })
    const createMembers = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"f${index}":1`).join(',')},"workspaceId":"${workspace.id}"}`
    for (const key of [undefined, workspace.key]) {
      expect((await post(createMembers(64), key)).body).toMatchObject({
        code: 'invalid_json',
        error: 'The request body has more than 64 members.',
      })
      expect((await post(`{"title":[${'1,'.repeat(2000)}1]}`, key)).body.error).toBe(
        'The request body has more than 1000 list items.',
      )
    }
    expect((await post(createMembers(63))).status).toBe(401)
    expect((await post(createMembers(63), workspace.key)).body).toMatchObject({ code: 'invalid_request' })
    // A million members are rejected before they are parsed, whatever follows.
    expect((await post(`{${'"a":1,'.repeat(400_000)}`, workspace.key)).body.error).toContain('64 members')
  })
})

describe('bodies in flight', () => {
  const limits = { total: 4000, perSender: 2000, unauthenticated: 1000, perIp: 600, timeoutMs: 60_000 }
  const connections: RawConnection[] = []
  let close = async () => {}
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close()
    await close()
    close = async () => {}
  })

  async function serve(options: InstanceOptions) {
    const instance = await openInstance(options)
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: instance.fetch })
    close = async () => {
      await server.stop(true)
      await instance.close()
    }
    const workspace = await instance.workspace()
    return { instance, workspace, url: server.url.origin }
  }

  /** Sends the headers of a request, and only the first byte of its body. */
  async function startBody(url: string, length: number, key?: string): Promise<RawConnection> {
    const connection = await openConnection(url)
    connections.push(connection)
    const headers = { 'content-length': String(length), ...(key && { authorization: `Bearer ${key}` }) }
    connection.write(formatRequest('POST', '/api/departments', { headers, body: '{' }))
    return connection
  }

  const createDepartment = (
    url: string,
    { id, key }: Awaited<ReturnType<Instance['workspace']>>,
    name: string,
  ) =>
    fetch(`${url}/api/departments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workspaceId: id, name }),
    })

  const readDepartments = (url: string, { id, key }: Awaited<ReturnType<Instance['workspace']>>) =>
    fetch(`${url}/api/departments?workspaceId=${id}`, { headers: { authorization: `Bearer ${key}` } })

  const UNAVAILABLE = /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*"code":"unavailable"/i

  test('of one workspace are limited: more get a 503 with Retry-After, others are not affected', async () => {
    const { instance, workspace, url } = await serve({ receiveLimits: limits })
    const other = await instance.workspace()
    await startBody(url, 1000, workspace.key)
    const second = await startBody(url, 990, await instance.key(workspace.id))
    // The bodies in flight are counted before a later request is answered.
    expect((await createDepartment(url, other, 'A')).status).toBe(200)
    expect(await (await startBody(url, 1000, workspace.key)).closed).toMatch(UNAVAILABLE)
    expect((await createDepartment(url, workspace, 'B')).status).toBe(503)
    expect((await createDepartment(url, other, 'B')).status).toBe(200)
    second.write(`${' '.repeat(988)}}`)
    await second.waitFor(/"code":"missing_workspace_id"/)
    expect((await createDepartment(url, workspace, 'B')).status).toBe(200)
  })

  test('of all workspaces are limited together, and their memory is free again when a client disconnects', async () => {
    const { instance, workspace, url } = await serve({ receiveLimits: limits })
    const other = await instance.workspace()
    const last = await instance.workspace()
    for (const key of [workspace.key, other.key])
      for (const length of [1000, 950]) await startBody(url, length, key)
    // Their keys have been looked up, and their bodies counted, before that of a later request is.
    await readDepartments(url, last)
    expect(await (await startBody(url, 200, last.key)).closed).toMatch(UNAVAILABLE)
    for (const connection of connections.splice(0)) connection.close()
    // Each write waits for the disconnects before it, which the server notices in order.
    let status = 503
    while (status === 503) ({ status } = await createDepartment(url, last, 'A'))
    expect(status).toBe(200)
  })

  test('count as long as announced, also if that was announced twice', async () => {
    const { workspace, url } = await serve({ receiveLimits: limits })
    const connection = await openConnection(url)
    connections.push(connection)
    const twice = formatRequest('POST', '/portal/api/sign-in', {
      headers: { 'content-length': '100000000' },
      body: '{',
    })
    connection.write(twice.replace(/^content-length: .*$/im, '$&\r\n$&'))
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 (413|503) /)
    await startBody(url, 590)
    expect(await (await startBody(url, 20)).closed).toMatch(UNAVAILABLE)
    expect((await createDepartment(url, workspace, 'A')).status).toBe(200)
  })

  test('of callers without credentials never take the share of others', async () => {
    const { workspace, url } = await serve({ receiveLimits: limits })
    await startBody(url, 590)
    expect(await (await startBody(url, 20)).closed).toMatch(UNAVAILABLE)
    expect((await createDepartment(url, workspace, 'A')).status).toBe(200)
  })

  test('that do not arrive in time get a 408, and the connection is closed', async () => {
    const { instance, workspace, url } = await serve({ receiveLimits: { ...receiveLimits, timeoutMs: 50 } })
    const connection = await startBody(url, 1000, workspace.key)
    const text = await connection.closed
    expect(text).toStartWith('HTTP/1.1 408 Request Timeout')
    expect(text).toMatch(/^connection: close\r$/im)
    expect(text).toContain('"code":"request_timeout"')
    const chunked = await openConnection(url)
    chunked.write(
      `POST /api/departments HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${workspace.key}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
    )
    expect(await chunked.closed).toStartWith('HTTP/1.1 408 Request Timeout')
    expect(instance.unexpectedErrors).toEqual([])
  })
})

test('bodies in flight are limited to 64 MiB, and take at most 30 seconds', () => {
  expect([receiveLimits.total, receiveLimits.timeoutMs]).toEqual([64 * MIB, 30_000])
})
