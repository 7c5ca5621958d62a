import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { METRICS_ENV, readServerMetrics } from '../support/metrics.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

const PASSWORD = 'a long enough secret'
const folder = temporaryFolder()

let running: RunningServer
let workspaceId: string
let headers: Record<string, string>

beforeAll(async () => {
  running = await startServer({ dataDir: folder.data, env: METRICS_ENV })
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
  const created = JSON.parse(out) as { workspaceId: string; apiKey: string }
  workspaceId = created.workspaceId
  headers = { authorization: `Bearer ${created.apiKey}` }
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

const createDepartment = (name: string) =>
  formatRequest('POST', '/api/departments', { headers, body: JSON.stringify({ workspaceId, name }) })

async function listDepartments(): Promise<string[]> {
  const response = await fetch(`${running.url}/api/departments?workspaceId=${workspaceId}`, { headers })
  const { departments } = (await response.json()) as { departments: { name: string }[] }
  return departments.map(({ name }) => name)
}

const readMetrics = (): Promise<string> => readServerMetrics(running.url)

describe('a client that closes the connection while it sends a body', () => {
  test.each([
    ['in chunks', 'transfer-encoding: chunked', '5\r\n{"nam\r\n'],
    ['of a known length', 'content-length: 100', '{"nam'],
  ])('is logged and counted as a client error, not as a failure: %s', async (kind, framing, start) => {
    const requestId = `aborted-${kind.replaceAll(' ', '-')}`
    const connection = await openConnection(running.url)
    connection.write(
      `POST /api/departments HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n` +
        `x-request-id: ${requestId}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n${start}`,
    )
    // The server has begun to handle the request once it answers one that was sent later.
    await listDepartments()
    connection.close()
    const line = await running.waitForLog((one) => one.requestId === requestId)
    expect(line).toMatchObject({ level: 'info', msg: 'request', status: 499, route: '/api/departments' })
    expect(running.log.filter(({ msg }) => msg === 'failure')).toEqual([])
    const metrics = await readMetrics()
    expect(metrics).toMatch(/^reeve_failures_total 0$/m)
    expect(metrics).not.toContain('status="5xx"')
  })
})

describe('pipelined requests', () => {
  test('are not executed: the connection is closed', async () => {
    const connection = await openConnection(running.url)
    connection.write(createDepartment('Pipelined 1') + createDepartment('Pipelined 2'))
    expect(await connection.closed).toBe('')
    await running.waitForLog(({ status, method }) => status === 499 && method === 'POST')
    expect(await listDepartments()).toEqual([])
  })

  test('sent after the response to the request before are answered in order', async () => {
    const connection = await openConnection(running.url)
    connection.write(createDepartment('First'))
    await connection.waitFor(/"name":"First"/)
    connection.write(createDepartment('Second'))
    const text = await connection.waitFor(/"name":"Second"/)
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(await listDepartments()).toEqual(['First', 'Second'])
    connection.close()
  })
})

describe('a host name', () => {
  test.each(['a', 'web', 'localhost:3000', 'staff.example.com'])(
    'of any length leads to the same paths: %s',
    async (host) => {
      const connection = await openConnection(running.url)
      connection.write(formatRequest('GET', '/healthz', { headers: { host } }))
      expect(await connection.waitFor(/\r\n\r\n./)).toStartWith('HTTP/1.1 200 OK')
      connection.close()
      const other = await openConnection(running.url)
      other.write(formatRequest('GET', '/abc/healthz', { headers: { host } }))
      expect(await other.waitFor(/\r\n\r\n./)).toStartWith('HTTP/1.1 404 Not Found')
      other.close()
    },
  )
})

describe('HEAD', () => {
  test.each(['/openapi.json', '/', '/healthz', '/api/departments', '/no/such/page'])(
    'has the length of the GET response: %s',
    async (path) => {
      const get = await fetch(running.url + path)
      const length = (await get.bytes()).length
      const connection = await openConnection(running.url)
      connection.write(formatRequest('HEAD', path))
      const text = await connection.waitFor(/\r\n\r\n/)
      expect(text).toStartWith(`HTTP/1.1 ${get.status} `)
      expect(/^content-length: (\d+)\r$/im.exec(text)?.[1]).toBe(String(length))
      // The next response follows the headers directly.
      connection.write(formatRequest('GET', '/healthz'))
      expect(await connection.waitFor(/HTTP[\s\S]*HTTP/)).toMatch(/\r\n\r\nHTTP\/1\.1 200 OK/)
      connection.close()
    },
  )

  test('of a stream ends at once and announces no length', async () => {
    const body = JSON.stringify({ username: 'robin', password: PASSWORD })
    const signIn = await fetch(`${running.url}/portal/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body,
    })
    const cookie = String(signIn.headers.get('set-cookie')).split(';')[0] ?? ''
    // More often than one session may have open streams.
    for (const path of [...Array(20).fill('/portal/api/live'), '/portal/api/moderation.csv']) {
      const connection = await openConnection(running.url)
      connection.write(
        formatRequest('HEAD', `${path}?workspaceId=${workspaceId}`, {
          headers: { cookie, 'sec-fetch-site': 'same-origin' },
        }),
      )
      const text = await connection.waitFor(/\r\n\r\n/)
      expect(text).toStartWith('HTTP/1.1 200 OK')
      expect(text).not.toMatch(/content-length/i)
      connection.close()
    }
  })
})

test('after a 413 the connection is closed without reading the rest', async () => {
  for (const framing of ['content-length: 1000000000', 'transfer-encoding: chunked']) {
    const connection = await openConnection(running.url)
    connection.write(
      `POST /api/departments HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n` +
        `content-type: application/json\r\n${framing}\r\n\r\n`,
    )
    connection.write(`20000\r\n${'x'.repeat(0x20000)}`)
    const text = await connection.closed
    expect(text).toStartWith('HTTP/1.1 413 Payload Too Large')
    expect(text).toMatch(/^connection: close\r$/im)
    expect(text).toContain('"code":"payload_too_large"')
  }
})
