import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dataUrl, imageBytes } from '../support/images.ts'
import { type Instance, openInstance, type TestResponse } from '../support/instance.ts'

let instance: Instance
let workspace: Awaited<ReturnType<Instance['workspace']>>
beforeAll(async () => {
  instance = await openInstance({ corsOrigins: ['https://tools.example'] })
  workspace = await instance.workspace()
})
afterAll(() => instance.close())

/** What a response lacks of the headers that every response has. */
function findMissingHeaders({ headers }: Pick<TestResponse, 'headers'>): string[] {
  const problems: string[] = []
  const requireHeader = (name: string, pattern: RegExp) => {
    const value = headers.get(name)
    if (value === null || !pattern.test(value)) problems.push(`${name}: ${value}`)
  }
  const csp = headers.get('content-security-policy') ?? ''
  requireHeader('x-content-type-options', /^nosniff$/)
  requireHeader('content-security-policy', /\bdefault-src 'none';.*frame-ancestors 'none'/)
  // Browsers do not show a document that is sandboxed and has a policy for its opener.
  requireHeader('cross-origin-opener-policy', /\bsandbox\b/.test(csp) ? /^unsafe-none$/ : /^same-origin$/)
  requireHeader('cross-origin-resource-policy', /^(same|cross)-origin$/)
  requireHeader('permissions-policy', /camera=\(\), .*microphone=\(\)/)
  return problems
}

test('every route has the security headers, for every caller and also when it fails', async () => {
  const operator = await instance.session(await instance.account(undefined, true))
  const callers = [{}, { key: workspace.key }, { session: workspace.ownerSession }, { session: operator }]
  const missing: string[] = []
  const statuses = new Set<number>()
  for (const { method, path } of instance.app.routes) {
    for (const caller of callers) {
      const url = `${path.replace(/:\w+|\*/, 'x')}?workspaceId=${workspace.id}`
      const end = new AbortController()
      const headers = new Headers({ 'sec-fetch-site': 'same-origin' })
      if ('key' in caller) headers.set('authorization', `Bearer ${caller.key}`)
      if ('session' in caller) headers.set('cookie', `reeve_session=${caller.session}`)
      // An event stream never ends, so no body is read.
      const response = await instance.fetch(
        new Request(`http://localhost:3000${url}`, { method, headers, signal: end.signal }),
      )
      end.abort()
      statuses.add(response.status)
      const problems = findMissingHeaders(response)
      if (problems.length > 0) missing.push(`${method} ${path} ${response.status} ${problems.join(', ')}`)
    }
  }
  expect(missing).toEqual([])
  for (const status of [200, 400, 401, 403, 404]) expect(statuses).toContain(status)
})

test('so have pages, files, unknown paths and methods, preflights, 304 and HEAD', async () => {
  const image = await instance.request('POST', '/api/events', {
    key: workspace.key,
    body: {
      workspaceId: workspace.id,
      title: 'Training',
      scheduledFor: '2030-01-01T10:00:00Z',
      published: 'true',
      imageDataUrl: dataUrl(imageBytes('png')),
    },
  })
  const media = new URL(image.body.event.imageUrl).pathname
  const page = await instance.request('GET', '/docs')
  const script = /\/docs\/reference\/\w+\.js/.exec(page.text)?.[0] ?? ''
  const etag = (await instance.request('GET', media)).headers.get('etag') ?? ''
  const preflight = { origin: 'https://tools.example', 'access-control-request-method': 'POST' }
  const responses = {
    image: [200, await instance.request('GET', media)],
    'unchanged image': [304, await instance.request('GET', media, { headers: { 'if-none-match': etag } })],
    'head of an image': [200, await instance.request('HEAD', media)],
    'missing image': [404, await instance.request('GET', `/media/${'0'.repeat(64)}.png`)],
    docs: [200, page],
    'script of the docs': [200, await instance.request('GET', script)],
    portal: [200, await instance.request('GET', '/', { headers: { accept: 'text/html' } })],
    'page not found': [404, await instance.request('GET', '/nowhere', { headers: { accept: 'text/html' } })],
    'unknown path': [404, await instance.request('GET', '/api/nowhere')],
    'unknown method': [405, await instance.request('PUT', '/api/events')],
    preflight: [204, await instance.request('OPTIONS', '/api/events', { headers: preflight })],
    csv: [
      200,
      await instance.request('GET', `/portal/api/moderation.csv?workspaceId=${workspace.id}`, {
        session: workspace.ownerSession,
      }),
    ],
    'invalid JSON': [400, await instance.request('POST', '/api/events', { key: workspace.key, body: '{' })],
  } as const
  const problems = Object.entries(responses).map(([name, [, response]]) => [
    name,
    response.status,
    findMissingHeaders(response),
  ])
  expect(problems).toEqual(Object.entries(responses).map(([name, [status]]) => [name, status, []]))
})

test('the image of a draft may not be embedded by other origins', async () => {
  const { body } = await instance.request('POST', '/api/events', {
    key: workspace.key,
    body: {
      workspaceId: workspace.id,
      title: 'Draft',
      scheduledFor: '2030-01-01T10:00:00Z',
      imageDataUrl: dataUrl(imageBytes('gif')),
    },
  })
  const { status, headers } = await instance.request('GET', new URL(body.event.imageUrl).pathname, {
    session: workspace.ownerSession,
  })
  expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin'])
})

test('only images and what the API reference loads may be embedded by other origins', async () => {
  const policy = async (path: string) =>
    (await instance.request('GET', path)).headers.get('cross-origin-resource-policy')
  const page = await instance.request('GET', '/docs')
  const script = /\/docs\/reference\/\w+\.js/.exec(page.text)?.[0] ?? ''
  expect(await policy(script)).toBe('cross-origin')
  for (const path of ['/', '/docs', '/healthz', '/api/events', '/portal/api/me'])
    expect([path, await policy(path)]).toEqual([path, 'same-origin'])
})

test('browsers are told to use only https if the public URL is https, and not otherwise', async () => {
  const secure = await openInstance({ publicUrl: 'https://staff.example.com' })
  for (const path of ['/', '/api/events', '/nowhere', '/docs', '/metrics', '/healthz']) {
    const headers = { host: 'staff.example.com' }
    const { headers: sent } = await secure.request('GET', path, { headers })
    expect([path, sent.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    const plain = await instance.request('GET', path)
    expect([path, plain.headers.get('strict-transport-security')]).toEqual([path, null])
  }
  await secure.close()
})
