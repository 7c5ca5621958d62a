import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { request } from 'node:https'
import { freePorts } from '@reeve/db/test-cluster'
import { INIT } from '../program/commands.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/folder.ts'
import { followerOf } from '../support/follow.ts'
import { dataUrl, pngOf } from '../support/images.ts'
import { PASSWORD } from '../support/instance.ts'
import { BINARY, type Running, reeve, serve } from '../support/program.ts'
import { checkedByNginx, type Nginx, openNginx } from './nginx.ts'

const LARGEST_IMAGE = 2 * 1024 * 1024
/** How soon a change has to be told through the proxy: far sooner than the line that keeps a connection open. */
const SOON_MS = 5000

let folder: TemporaryFolder
let running: Running
let made: { workspaceId: string; apiKey: string }
let nginx: Nginx | null = null

const portOf = ({ url }: Running) => Number(new URL(url).port)

beforeAll(async () => {
  folder = temporaryFolder()
  const options = {
    dataDir: folder.data,
    program: BINARY,
    env: { REEVE_PUBLIC_URL: 'https://staff.example.com', REEVE_TRUSTED_PROXIES: '127.0.0.1' },
  }
  made = JSON.parse((await reeve([...INIT, '--json'], { ...options, stdin: PASSWORD })).out)
  running = await serve(options)
})
afterEach(async () => {
  await nginx?.close()
  nginx = null
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

/** nginx before the server and before something else; by default, before nothing that listens. */
async function proxied(other = freePorts(1)[0] ?? 0): Promise<Nginx> {
  nginx = await openNginx({ upstreams: [portOf(running), other] })
  return nginx
}

const keyed = (body: object) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ workspaceId: made.workspaceId, ...body }),
})
const noteOf = (userId: string) => keyed({ action: 'note', userId, reason: 'Seen' })

/** Signs in from an address of this machine, by a browser that says it comes from another one. @returns the cookie */
const signIn = ({ origin }: Nginx, localAddress = '127.0.0.2'): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': '198.51.100.7',
    }
    const options = { method: 'POST', headers, localAddress, rejectUnauthorized: false }
    const call = request(`${origin}/portal/api/sign-in`, options, (answer) => {
      answer.resume()
      resolve(answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '')
    })
    call.once('error', reject)
    call.end(JSON.stringify({ username: 'robin', password: PASSWORD }))
  })

/** What takes a request and breaks the connection off. */
function breaking() {
  const taken: string[] = []
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        taken.push(bytes.toString().split(' ')[0] ?? '')
        socket.terminate()
      },
    },
  })
  return { port: server.port, taken, close: () => server.stop(true) }
}

test('nginx takes the file as it is', async () => {
  const { exitCode, said } = await checkedByNginx({ upstreams: [3000, 3001] })
  expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining('test is successful') })
})

test('pages and probes are answered over https, and plain http leads there', async () => {
  const { call, plainOrigin } = await proxied()
  const page = await call('/')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const probe of ['/healthz', '/readyz']) expect((await call(probe)).status).toBe(200)
  const headers = { host: 'staff.example.com' }
  const moved = await fetch(`${plainOrigin}/portal?a=b`, { redirect: 'manual', headers })
  expect([moved.status, moved.headers.get('location')]).toEqual([308, 'https://staff.example.com/portal?a=b'])
})

test('an image of the largest size goes in and comes out', async () => {
  const { call } = await proxied()
  const bytes = pngOf(LARGEST_IMAGE)
  const event = { title: 'A', scheduledFor: '2030-01-01T00:00:00Z', imageDataUrl: dataUrl(bytes) }
  const answer = await call('/api/events', keyed(event))
  expect(answer.status).toBe(200)
  const { imageUrl } = ((await answer.json()) as { event: { imageUrl: string } }).event
  const served = await call(new URL(imageUrl).pathname)
  expect(await served.bytes()).toEqual(bytes)
})

test('a change is told as it happens, to a browser that would take it compressed', async () => {
  const through = await proxied()
  const headers = { cookie: await signIn(through), 'accept-encoding': 'gzip' }
  const live = await through.call(`/portal/api/live?workspaceId=${made.workspaceId}`, { headers })
  expect([live.status, live.headers.get('content-encoding')]).toEqual([200, null])
  const follower = followerOf(live)
  await follower.until(() => follower.lastId() !== '')
  const since = performance.now()
  expect((await through.call('/api/moderation', noteOf('1'))).status).toBe(200)
  await follower.next('moderation')
  expect(performance.now() - since).toBeLessThan(SOON_MS)
  await follower.close()
})

test('callers are known by the address they come from, whatever they say', async () => {
  const through = await proxied()
  const headers = { cookie: await signIn(through) }
  const { sessions } = (await (await through.call('/portal/api/sessions', { headers })).json()) as {
    sessions: { address: string }[]
  }
  expect(sessions[0]?.address).toBe('127.0.0.2')
})

test('a process that is not there is passed over, for writes too', async () => {
  const { call } = await proxied()
  const paths = Array.from({ length: 20 }, () => '/readyz')
  const reads = await Promise.all(paths.map((path) => call(path)))
  const writes = await Promise.all(
    paths.map((_, index) => call('/api/moderation', noteOf(String(100 + index)))),
  )
  expect(new Set([...reads, ...writes].map(({ status }) => status))).toEqual(new Set([200]))
})

test('of a process that breaks off, a read goes to another one, and a write is not sent again', async () => {
  const broken = breaking()
  try {
    const reading = await proxied(broken.port)
    for (let read = 0; read < 6; read++) expect((await reading.call('/readyz')).status).toBe(200)
    expect(broken.taken).toContain('GET')
    await reading.close()
    const writing = await proxied(broken.port)
    const statuses: number[] = []
    for (let write = 0; write < 6; write++) {
      const { status, body } = await writing.call('/api/moderation', noteOf('777'))
      await body?.cancel()
      statuses.push(status)
    }
    const failed = statuses.filter((status) => status === 502).length
    expect(failed).toBeGreaterThan(0)
    expect(broken.taken.filter((method) => method === 'POST')).toHaveLength(failed)
    const notes = await writing.call(`/api/moderation?workspaceId=${made.workspaceId}&userId=777`, {
      headers: { authorization: `Bearer ${made.apiKey}` },
    })
    const { records } = (await notes.json()) as { records: object[] }
    expect(records).toHaveLength(statuses.filter((status) => status === 200).length)
  } finally {
    broken.close()
  }
})
