import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { request } from 'node:https'
import { freePorts } from '@reeve/db/test-cluster'
import { INIT_ARGS } from '../program/commands.ts'
import { createPng, dataUrl } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { readLiveStream } from '../support/live-stream.ts'
import { BINARY, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { checkNginxConfig, type DeployedNginx, startDeployedNginx } from './nginx.ts'

const MAX_IMAGE_BYTES = 2 * 1024 * 1024
/** How fast a change must arrive through the proxy: well below the keep-alive interval of the stream. */
const MAX_DELAY_MS = 5000

let folder: TemporaryFolder
let running: RunningServer
let initResult: { workspaceId: string; apiKey: string }
let nginx: DeployedNginx | null = null

const getPort = ({ url }: RunningServer) => Number(new URL(url).port)

beforeAll(async () => {
  folder = temporaryFolder()
  const options = {
    dataDir: folder.data,
    program: BINARY,
    env: { REEVE_PUBLIC_URL: 'https://staff.example.com', REEVE_TRUSTED_PROXIES: '127.0.0.1' },
  }
  initResult = JSON.parse((await runReeve([...INIT_ARGS, '--json'], { ...options, stdin: PASSWORD })).out)
  running = await startServer(options)
})
afterEach(async () => {
  await nginx?.close()
  nginx = null
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

/** nginx in front of the server and a second process; by default, nothing listens for the second one. */
async function startProxy(secondPort = freePorts(1)[0] ?? 0): Promise<DeployedNginx> {
  nginx = await startDeployedNginx({ upstreams: [getPort(running), secondPort] })
  return nginx
}

const withKey = (body: object) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${initResult.apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ workspaceId: initResult.workspaceId, ...body }),
})
const createNoteRequest = (userId: string) => withKey({ action: 'note', userId, reason: 'Seen' })

/** Signs in from an IP address of this machine, with a forged X-Forwarded-For header. @returns the cookie */
const signIn = ({ origin }: DeployedNginx, localAddress = '127.0.0.2'): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '198.51.100.7',
    }
    const options = { method: 'POST', headers, localAddress, rejectUnauthorized: false }
    const clientRequest = request(`${origin}/portal/api/sign-in`, options, (response) => {
      response.resume()
      resolve(response.headers['set-cookie']?.[0]?.split(';')[0] ?? '')
    })
    clientRequest.once('error', reject)
    clientRequest.end(JSON.stringify({ username: 'robin', password: PASSWORD }))
  })

/** A process that receives a request and drops the connection. */
function startBreakingServer() {
  const receivedRequests: string[] = []
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        receivedRequests.push(bytes.toString().split(' ')[0] ?? '')
        socket.terminate()
      },
    },
  })
  return { port: server.port, receivedRequests, close: () => server.stop(true) }
}

test('nginx accepts the file', async () => {
  const { exitCode, stderrText } = await checkNginxConfig({ upstreams: [3000, 3001] })
  expect({ exitCode, stderrText }).toEqual({
    exitCode: 0,
    stderrText: expect.stringContaining('test is successful'),
  })
})

test('pages and probes are served over https, and plain http redirects there', async () => {
  const { fetchPath, plainOrigin } = await startProxy()
  const page = await fetchPath('/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const probe of ['/healthz', '/readyz']) expect((await fetchPath(probe)).status).toBe(200)
  const headers = { host: 'staff.example.com' }
  const redirectResponse = await fetch(`${plainOrigin}/portal?a=b`, { redirect: 'manual', headers })
  expect([redirectResponse.status, redirectResponse.headers.get('location')]).toEqual([
    308,
    'https://staff.example.com/portal?a=b',
  ])
})

test('an image of the maximum size can be uploaded and downloaded', async () => {
  const { fetchPath } = await startProxy()
  const bytes = createPng(MAX_IMAGE_BYTES)
  const event = {
    title: 'A',
    scheduledFor: '2030-01-01T00:00:00Z',
    imageDataUrl: dataUrl(bytes),
    published: 'true',
  }
  const response = await fetchPath('/api/events', withKey(event))
  expect(response.status).toBe(200)
  const { imageUrl } = ((await response.json()) as { event: { imageUrl: string } }).event
  const served = await fetchPath(new URL(imageUrl).pathname)
  expect<Uint8Array>(await served.bytes()).toEqual(bytes)
})

test('a rejected body gets the response of Reeve, although Reeve does not keep it', async () => {
  const { origin } = await startProxy()
  for (const [length, status] of [
    [2_800_000, 401],
    [3_500_000, 413],
  ] as const) {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const response = await fetch(`${origin}/api/events?workspaceId=${initResult.workspaceId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"title":"${'x'.repeat(length)}"}`,
        tls: { rejectUnauthorized: false },
      })
      expect(response.status).toBe(status)
    }
  }
})

test('a live change is sent immediately, also to a browser that accepts compression', async () => {
  const nginxProxy = await startProxy()
  const headers = { cookie: await signIn(nginxProxy), 'accept-encoding': 'gzip' }
  const liveResponse = await nginxProxy.fetchPath(`/portal/api/live?workspaceId=${initResult.workspaceId}`, {
    headers,
  })
  expect([liveResponse.status, liveResponse.headers.get('content-encoding')]).toEqual([200, null])
  const stream = readLiveStream(liveResponse)
  await stream.waitUntil(() => stream.lastId() !== '')
  const since = performance.now()
  expect((await nginxProxy.fetchPath('/api/moderation', createNoteRequest('1'))).status).toBe(200)
  await stream.next('moderation')
  expect(performance.now() - since).toBeLessThan(MAX_DELAY_MS)
  await stream.close()
})

test('clients are identified by their IP address, not by a forged header', async () => {
  const nginxProxy = await startProxy()
  const headers = { cookie: await signIn(nginxProxy) }
  const { sessions } = (await (await nginxProxy.fetchPath('/portal/api/sessions', { headers })).json()) as {
    sessions: { address: string }[]
  }
  expect(sessions[0]?.address).toBe('127.0.0.2')
})

test('an unreachable process is skipped, also for writes', async () => {
  const { fetchPath } = await startProxy()
  const paths = Array.from({ length: 20 }, () => '/readyz')
  const reads = await Promise.all(paths.map((path) => fetchPath(path)))
  const writes = await Promise.all(
    paths.map((_, index) => fetchPath('/api/moderation', createNoteRequest(String(100 + index)))),
  )
  expect(new Set([...reads, ...writes].map(({ status }) => status))).toEqual(new Set([200]))
})

test('when a process drops the connection, a read is retried on another one and a write is not', async () => {
  const broken = startBreakingServer()
  try {
    const reading = await startProxy(broken.port)
    for (let read = 0; read < 6; read++) expect((await reading.fetchPath('/readyz')).status).toBe(200)
    expect(broken.receivedRequests).toContain('GET')
    await reading.close()
    const writing = await startProxy(broken.port)
    const statuses: number[] = []
    for (let write = 0; write < 6; write++) {
      const { status, body } = await writing.fetchPath('/api/moderation', createNoteRequest('777'))
      await body?.cancel()
      statuses.push(status)
    }
    const failed = statuses.filter((status) => status === 502).length
    expect(failed).toBeGreaterThan(0)
    expect(broken.receivedRequests.filter((method) => method === 'POST')).toHaveLength(failed)
    const notes = await writing.fetchPath(
      `/api/moderation?workspaceId=${initResult.workspaceId}&userId=777`,
      {
        headers: { authorization: `Bearer ${initResult.apiKey}` },
      },
    )
    const { records } = (await notes.json()) as { records: object[] }
    expect(records).toHaveLength(statuses.filter((status) => status === 200).length)
  } finally {
    broken.close()
  }
})
