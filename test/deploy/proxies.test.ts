import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freePorts } from '@reeve/db/test-cluster'
import { INIT_ARGS } from '../program/commands.ts'
import { PASSWORD } from '../support/instance.ts'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startDeployedCaddy } from './caddy.ts'
import { startDeployedNginx } from './nginx.ts'

setDefaultTimeout(60_000)

const TRANSPORT_SECURITY = 'max-age=31536000'

let folder: TemporaryFolder
let running: RunningServer
let created: { workspaceId: string; apiKey: string }
const stops: (() => unknown)[] = []

beforeAll(async () => {
  folder = temporaryFolder()
  const options = {
    dataDir: folder.data,
    program: BINARY,
    env: { REEVE_PUBLIC_URL: 'https://staff.example.com', REEVE_TRUSTED_PROXIES: '127.0.0.1' },
  }
  created = JSON.parse((await runReeve([...INIT_ARGS, '--json'], { ...options, stdin: PASSWORD })).out)
  running = await startServer(options)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

const [unusedPort = 0, otherUnusedPort = 0] = freePorts(2)
const getPort = () => Number(new URL(running.url).port)

/** The proxies of the examples, in front of the server, or of nothing. */
const proxies = {
  nginx: async (isUp: boolean) => {
    const nginx = await startDeployedNginx({
      upstreams: [isUp ? getPort() : unusedPort, otherUnusedPort],
    })
    stops.push(nginx.close)
    return nginx
  },
  Caddy: async (isUp: boolean) => {
    const caddy = await startDeployedCaddy([isUp ? getPort() : unusedPort])
    stops.push(caddy.close)
    return caddy
  },
}

test.each(Object.entries(proxies))(
  'every response of %s tells browsers once to use only https, its own errors included',
  async (_, startProxy) => {
    const up = await startProxy(true)
    for (const path of ['/healthz', '/', '/nowhere']) {
      const { headers } = await up.fetchPath(path)
      expect([path, headers.get('strict-transport-security')]).toEqual([path, TRANSPORT_SECURITY])
    }
    const down = await startProxy(false)
    const { status, headers } = await down.fetchPath('/healthz')
    expect([status >= 502, headers.get('strict-transport-security')]).toEqual([true, TRANSPORT_SECURITY])
  },
)

test('nginx redirects to the host name of the file, for any name that the client sends', async () => {
  const { plainOrigin } = await proxies.nginx(true)
  for (const host of ['staff.example.com', 'other.example']) {
    const response = await fetch(`${plainOrigin}/portal?a=b`, { redirect: 'manual', headers: { host } })
    expect([host, response.status, response.headers.get('location')]).toEqual([
      host,
      308,
      'https://staff.example.com/portal?a=b',
    ])
  }
})

test('a request for another host name, which nginx passes on, is rejected', async () => {
  const { fetchPath } = await proxies.nginx(true)
  const { status } = await fetchPath('/healthz', { headers: { host: 'other.example' } })
  expect(status).toBe(421)
})

test('nginx limits the requests of a client, and rejects others with an error as Reeve does', async () => {
  const { fetchPath } = await proxies.nginx(true)
  /** Sends requests, 100 at a time. @returns the responses of those that were rejected */
  const sendMany = async (count: number) => {
    const rejected: Response[] = []
    for (let sent = 0; sent < count; sent += 100) {
      const responses = await Promise.all(Array.from({ length: 100 }, () => fetchPath('/healthz')))
      rejected.push(...responses.filter(({ status }) => status === 429))
    }
    return rejected
  }
  // A page of the portal with all of its requests, several times, is not limited.
  expect(await sendMany(300)).toEqual([])
  const rejected = await sendMany(3000)
  expect(rejected.length).toBeGreaterThan(0)
  const [first] = rejected
  expect(first?.headers.get('retry-after')).toBe('1')
  expect(first?.headers.get('strict-transport-security')).toBe(TRANSPORT_SECURITY)
  expect(await first?.json()).toEqual({
    error: 'Too many requests from your IP address. Try again in 1 second.',
    code: 'rate_limited',
    requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('nginx limits sign-ins further', async () => {
  const { fetchPath } = await proxies.nginx(true)
  const signIn = () =>
    fetchPath('/portal/api/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      // Not counted by Reeve, which needs a password for that.
      body: '{}',
    })
  const statuses = (await Promise.all(Array.from({ length: 100 }, signIn))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(20)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect((await fetchPath('/healthz')).status).toBe(200)
})

const MAX_APPEAL_FILE_BYTES = 5_000_000

test.each(Object.entries(proxies))('%s passes on the largest files of appeals', async (_, startProxy) => {
  const { fetchPath } = await startProxy(true)
  const bytes = new Uint8Array(MAX_APPEAL_FILE_BYTES).fill(65)
  const file = { code: '7K3M9-Q9TX2', name: 'log.txt', data: bytes.toBase64() }
  for (const prefix of ['/api', '/api/public/v1']) {
    const response = await fetchPath(`${prefix}/appeals/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${created.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workspaceId: created.workspaceId, ...file }),
    })
    // The response of Reeve: no ban has this code.
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
  }
  const form = new FormData()
  form.append('file', new File([bytes], 'log.txt', { type: 'text/plain' }))
  const page = await fetchPath('/appeal/file', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: form,
    redirect: 'manual',
  })
  // The page of Reeve: there is no cookie with a code.
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('Enter your code again')])
})

test.each(Object.entries(proxies))(
  'a body that is too large for Reeve or for %s keeps nobody else away',
  async (_, startProxy) => {
    const { fetchPath } = await startProxy(true)
    for (const megabytes of [1, 6, 30]) {
      // Without a length, so that it is too large only on the way.
      const chunk = new Uint8Array(1_000_000).fill(65)
      let left = megabytes
      const body = new ReadableStream({
        pull(controller) {
          if (left-- > 0) controller.enqueue(chunk)
          else controller.close()
        },
      })
      // The proxy may close the connection before it has the whole body.
      await fetchPath('/api/moderation/check', { method: 'POST', body }).then(
        ({ status }) => expect([401, 413, 502]).toContain(status),
        () => {},
      )
      expect((await fetchPath('/healthz')).status).toBe(200)
    }
  },
)

test('requests to Caddy wait until it has noticed that one of two processes has ended', async () => {
  // Caddy returns 502 for a POST on a kept connection whose end it has not noticed, because the process may have received it.
  const respond = () => new Response('Ready', { headers: { connection: 'close' } })
  const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: respond })
  const caddy = await startDeployedCaddy([other.port ?? 0, getPort()])
  stops.push(caddy.close)
  const send = (method: string) => caddy.fetchPath('/healthz', { method })
  const seen = new Set<string>()
  while (!seen.has('Ready')) seen.add(await (await send('GET')).text())
  await other.stop(true)
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(index % 2 ? 'POST' : 'GET')),
  )
  expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
})
