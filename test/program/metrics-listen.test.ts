import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { METRICS_TOKEN, readSeries } from '../support/metrics.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

setDefaultTimeout(60_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function start(env: Record<string, string> = {}): Promise<RunningServer> {
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  const server = await startServer({ dataDir: folder.data, env })
  stops.push(() => server.stop())
  return server
}

const getMetricsUrl = (server: RunningServer): string =>
  String(server.log.find(({ url }) => url !== undefined)?.metricsUrl)

const requestFrom = async (url: string, path: string, init: RequestInit = {}) => {
  const response = await fetch(`${url}${path}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('without a token there are no metrics, not even for programs on the same machine', async () => {
  const server = await start()
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  expect((await requestFrom(server.url, '/metrics')).status).toBe(404)
  expect((await requestFrom(server.url, '/metrics', { headers })).status).toBe(404)
})

test('with a token they are for those who send it, wherever they are', async () => {
  const server = await start({ REEVE_METRICS_TOKEN: METRICS_TOKEN })
  for (const headers of [{}, { authorization: `Bearer ${METRICS_TOKEN}x` }] as Record<string, string>[])
    expect((await requestFrom(server.url, '/metrics', { headers })).status).toBe(401)
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { status, text } = await requestFrom(server.url, '/metrics', { headers })
  expect([status, readSeries(text, 'reeve_ready')]).toEqual([200, 1])
})

test('at an address of their own they need no token, and nothing else is there', async () => {
  const server = await start({ REEVE_METRICS_LISTEN: '127.0.0.1:0', REEVE_HOSTS: 'reeve-1' })
  const url = getMetricsUrl(server)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { status, text, headers } = await requestFrom(url, '/metrics')
  expect([status, readSeries(text, 'reeve_ready')]).toEqual([200, 1])
  expect(headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(await requestFrom(url, '/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  for (const path of ['/', '/healthz', '/portal/api/me', '/metrics/', '/metricsx'])
    expect([path, (await requestFrom(url, path)).status]).toEqual([path, 404])
  const post = await requestFrom(url, '/metrics', { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await requestFrom(server.url, '/metrics')).status).toBe(404)
  await server.stop()
  expect(await fetch(`${url}/metrics`).catch(() => 'stopped')).toBe('stopped')
})

test('a website cannot read them there under a name of its own', async () => {
  const server = await start({ REEVE_METRICS_LISTEN: '127.0.0.1:0', REEVE_HOSTS: 'reeve-1' })
  const getStatus = async (host: string) => {
    const connection = await openConnection(getMetricsUrl(server))
    connection.write(formatRequest('GET', '/metrics', { headers: { host, connection: 'close' } }))
    return Number((await connection.closed).split(' ')[1])
  }
  for (const host of ['other.example', 'other.example:9464']) expect(await getStatus(host)).toBe(421)
  for (const host of ['10.0.0.7:9464', 'localhost:9464', 'reeve-1:9464'])
    expect(await getStatus(host)).toBe(200)
  expect(await getStatus('a b')).toBe(400)
})

test('an address that is in use aborts startup with advice', async () => {
  const server = await start({ REEVE_METRICS_LISTEN: '127.0.0.1:0' })
  const { host, port } = new URL(getMetricsUrl(server))
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  const env = { REEVE_METRICS_LISTEN: host, REEVE_PORT: '0' }
  const { exitCode, err } = await runReeve(['serve'], { dataDir: folder.data, env })
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: `REEVE_METRICS_LISTEN: another program is already using port ${port} on 127.0.0.1. Set another address; each process needs its own.\n`,
  })
})
