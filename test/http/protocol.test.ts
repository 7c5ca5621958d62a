import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Instance, LEGACY_PREFIX, openInstance } from '../support/instance.ts'

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
