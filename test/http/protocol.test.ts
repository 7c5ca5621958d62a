import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance()
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

const departmentsPath = () => `/api/departments?workspaceId=${workspace.id}`

describe('HTTP methods and headers', () => {
  test('HEAD has the status and headers of GET', async () => {
    const [get, head] = [
      await instance.request('GET', departmentsPath(), { key: workspace.key }),
      await instance.request('HEAD', departmentsPath(), { key: workspace.key }),
    ]
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect((await instance.request('HEAD', departmentsPath())).status).toBe(401)
    expect((await instance.request('HEAD', '/api/nowhere')).status).toBe(404)
  })

  test('an unsupported method is a 405 with Allow', async () => {
    for (const path of ['/api/departments', '/api/events', `${LEGACY_PREFIX}/departments`]) {
      for (const method of ['PUT', 'OPTIONS', 'TRACE']) {
        for (const options of [{}, { key: workspace.key }]) {
          const response = await instance.request(method, path, options)
          expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed'])
          expect(response.headers.get('allow')?.split(', ').sort()).toEqual([
            'DELETE',
            'GET',
            'HEAD',
            'PATCH',
            'POST',
          ])
        }
      }
    }
    const signIn = await instance.request('DELETE', '/portal/api/sign-in')
    expect([signIn.status, signIn.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('an unknown path is a 404 with a JSON body', async () => {
    for (const path of ['/api', '/api/nowhere', '/api/public/v1/nowhere', '/portal/api/nowhere']) {
      const response = await instance.request('GET', path)
      expect([response.status, response.body.code]).toEqual([404, 'not_found'])
      expect(response.body.requestId).toBe(response.headers.get('x-request-id'))
    }
  })

  test('a valid X-Request-Id is returned, also with errors; an invalid one is replaced', async () => {
    for (const more of [{ key: workspace.key }, {}]) {
      for (const own of ['mine-1_Z', 'x'.repeat(64)]) {
        const response = await instance.request('GET', departmentsPath(), {
          ...more,
          headers: { 'x-request-id': own },
        })
        expect(response.headers.get('x-request-id')).toBe(own)
        if (response.status !== 200) expect(response.body.requestId).toBe(own)
      }
      for (const other of ['x'.repeat(65), 'a b', 'a;b', '<i>', '']) {
        const response = await instance.request('GET', departmentsPath(), {
          ...more,
          headers: { 'x-request-id': other },
        })
        expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      }
    }
  })

  test('no response is cached by browsers or proxies', async () => {
    for (const more of [{ key: workspace.key }, {}, { key: 'junk' }, { session: workspace.ownerSession }]) {
      const response = await instance.request('GET', departmentsPath(), more)
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('CORS preflight succeeds for listed origins only, and never allows cookies', async () => {
    const target = await openInstance({ corsOrigins: ['https://tools.example'] })
    const preflight = (origin: string) =>
      target.request('OPTIONS', '/api/departments', {
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const listed = await preflight('https://tools.example')
    expect([listed.status, listed.text]).toEqual([204, ''])
    expect(listed.headers.get('access-control-allow-origin')).toBe('https://tools.example')
    expect(listed.headers.get('access-control-allow-headers')?.split(', ').sort()).toEqual([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Request-Id',
      'traceparent',
      'tracestate',
    ])
    expect(listed.headers.get('access-control-allow-credentials')).toBeNull()
    const other = await preflight('https://elsewhere.example')
    expect(other.status).toBe(405)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    await target.close()
  })
})

describe('a GET or HEAD with a body', () => {
  let server: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: instance.fetch })
  })
  afterAll(() => server.stop(true))

  const BODY = JSON.stringify({ userId: '7' })
  const CHUNKED_BODY = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`

  /** Sends requests on one connection, one after the other, and at last one without a body. @returns the statuses, and everything received */
  async function send(...requests: readonly string[]) {
    const connection = await openConnection(server.url.origin)
    const last = format('GET', departmentsPath(), {}, '')
    for (const [index, request] of [...requests, last].entries()) {
      connection.write(request)
      await connection.waitFor(new RegExp(`(HTTP/1\\.1 [^]*?\r\n\r\n[^]*?){${index + 1}}`))
    }
    connection.close()
    const text = connection.received()
    return { text, statuses: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)) }
  }

  const format = (method: string, path: string, headers: Readonly<Record<string, string>>, body: string) =>
    formatRequest(method, path, { headers: { authorization: `Bearer ${workspace.key}`, ...headers } }) + body

  const formatCheck = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => format(method, `${path}/moderation?workspaceId=${workspace.id}&banList=true`, headers, body)

  test('is refused, because its fields would be dropped, and the connection goes on', async () => {
    const length = { 'content-type': 'application/json', 'content-length': String(BODY.length) }
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    for (const path of ['/api', LEGACY_PREFIX]) {
      const gets = await send(
        formatCheck('GET', path, length, BODY),
        formatCheck('GET', path, chunked, CHUNKED_BODY),
        formatCheck('GET', path, {}, ''),
      )
      expect(gets.statuses).toEqual([400, 400, 200, 200])
      expect(gets.text).toContain(
        '"error":"body: is not read with GET and HEAD: send its fields as query parameters"',
      )
      const heads = await send(
        formatCheck('HEAD', path, length, BODY),
        formatCheck('HEAD', path, chunked, CHUNKED_BODY),
        formatCheck('HEAD', path, {}, ''),
      )
      expect(heads.statuses).toEqual([400, 400, 200, 200])
    }
  })

  test('works if the body is empty, which some proxies announce, and where nothing is read', async () => {
    const empty = { 'content-length': '0' }
    const unknown = { 'transfer-encoding': 'chunked' }
    const length = { 'content-length': '2' }
    for (const method of ['GET', 'HEAD'])
      for (const [headers, body] of [
        [empty, ''],
        [unknown, '0\r\n\r\n'],
      ] as const)
        expect((await send(formatCheck(method, '/api', headers, body))).statuses).toEqual([200, 200])
    for (const path of ['/', '/healthz', '/readyz']) {
      for (const [headers, body] of [
        [empty, ''],
        [length, '{}'],
        [unknown, '2\r\n{}\r\n0\r\n\r\n'],
      ] as const)
        expect((await send(format('HEAD', path, headers, body))).statuses).toEqual([200, 200])
    }
  })

  test('tells a caller without valid credentials nothing more', async () => {
    const headers = { authorization: 'Bearer junk', 'content-length': String(BODY.length) }
    expect((await send(formatCheck('GET', '/api', headers, BODY))).statuses).toEqual([401, 200])
  })
})
