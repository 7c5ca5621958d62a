import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freePorts } from '@reeve/db/test-cluster'
import { BINARY, type RunningServer, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startDeployedCaddy } from './caddy.ts'
import { startDeployedNginx } from './nginx.ts'

setDefaultTimeout(60_000)

const TRANSPORT_SECURITY = 'max-age=31536000'

let folder: TemporaryFolder
let running: RunningServer
const stops: (() => unknown)[] = []

beforeAll(async () => {
  folder = temporaryFolder()
  running = await startServer({
    dataDir: folder.data,
    program: BINARY,
    env: { REEVE_PUBLIC_URL: 'https://staff.example.com', REEVE_TRUSTED_PROXIES: '127.0.0.1' },
  })
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
