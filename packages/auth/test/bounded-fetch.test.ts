import { afterAll, expect, test } from 'bun:test'
import { fetchBounded } from '../src/methods/oidc/bounded-fetch.ts'

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    const path = new URL(url).pathname
    if (path === '/silent') return new Promise<Response>(() => {})
    // Sends its headers, and then nothing more.
    if (path === '/stalling')
      return new Response(new ReadableStream({ start: (body) => body.enqueue('{"a":') }))
    return new Response('x'.repeat(1000), { headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b' } })
  },
})
afterAll(() => server.stop(true))

const request = (path: string, limits?: { timeoutMs: number; maxBytes: number }) =>
  fetchBounded(`${server.url.origin}${path}?code=hidden-word`, { method: 'GET', headers: {} }, limits)

for (const path of ['/silent', '/stalling']) {
  test(`a provider that is ${path.slice(1)} is given up after the timeout, and the error has no query`, async () => {
    const failure = await request(path, { timeoutMs: 100, maxBytes: 1000 }).catch((error) => error)
    expect(failure).toMatchObject({ name: 'ProviderRequestError', problem: 'timeout' })
    expect(failure.message).toBe(`no response from ${new URL(server.url.origin).host} within 0.1 s`)
  })
}

test('a response of the largest size is read, and a larger one is not', async () => {
  const response = await request('/')
  expect(await response.text()).toHaveLength(1000)
  expect([...response.headers.keys()]).toEqual(['content-type'])
  await expect(request('/', { timeoutMs: 10_000, maxBytes: 999 })).rejects.toMatchObject({
    problem: 'invalid_response',
  })
})
