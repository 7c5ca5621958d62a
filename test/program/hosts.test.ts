import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

const PUBLIC_URL = 'https://staff.example.com'
/** Names that lead to the server, but are not its own; `0x7f.1` is an IP address only to some programs. */
const OTHER_HOSTS = ['other.example', 'staff.example.com.other.example', 'a', 'localhost.example', '0x7f.1']

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function start(env: Record<string, string> = {}, folder = openFolder()): Promise<RunningServer> {
  const server = await startServer({ dataDir: folder.data, env })
  stops.push(() => server.stop())
  return server
}

function openFolder(): TemporaryFolder {
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  return folder
}

/** Sends bytes, and returns the status, the headers and the body of the response. */
async function send(server: RunningServer, text: string) {
  const connection = await openConnection(server.url)
  connection.write(text)
  const received = await connection.closed
  const [head = '', body = ''] = received.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body }
}

/** A request whose connection closes after the response. */
const get = (server: RunningServer, host: string, path = '/healthz', method = 'GET') =>
  send(server, formatRequest(method, path, { headers: { host, connection: 'close' } }))

test('with a public URL, requests for the names of the instance, for this machine and for IP addresses are accepted, and no others', async () => {
  const server = await start({ REEVE_PUBLIC_URL: PUBLIC_URL, REEVE_HOSTS: 'reeve-1, Reeve.internal' })
  const accepted = [
    ...['staff.example.com', 'STAFF.Example.com:443', 'staff.example.com.', 'reeve-1:3000', 'reeve.internal'],
    ...[
      'localhost',
      'localhost:3000',
      'reeve.localhost',
      '127.0.0.1:3000',
      '192.0.2.7',
      '[::1]:3000',
      '[2001:db8::7]',
    ],
  ]
  for (const host of accepted) expect([host, (await get(server, host)).status]).toEqual([host, 200])
  for (const host of OTHER_HOSTS) {
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/'],
      ['POST', '/api/moderation'],
      ['HEAD', '/nowhere'],
    ] as const)
      expect([host, path, (await get(server, host, path, method)).status]).toEqual([host, path, 421])
  }
  const { head, body } = await get(server, 'other.example')
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  const error = JSON.parse(body)
  expect(error).toEqual({
    error: expect.stringContaining('REEVE_HOSTS'),
    code: 'misdirected_request',
    requestId: expect.any(String),
  })
  // The sender chose the name.
  expect(body).not.toContain('other.example')
  expect(server.log.filter(({ level }) => level === 'warn')).toEqual([])
})

test('without a public URL they are served; the log, the doctor and the operators are told once', async () => {
  const folder = openFolder()
  const server = await start({}, folder)
  parseJsonOutput(await runInFolder(folder, [...INIT_ARGS, '--json'], PASSWORD))
  const readFinding = async () => {
    const { out } = await runReeve(['doctor', '--json'], { dataDir: folder.data })
    return JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'requests')
  }
  expect((await readFinding()).verdict).toBe('ok')
  for (const host of ['localhost', '127.0.0.1', ...OTHER_HOSTS, ...OTHER_HOSTS])
    expect([host, (await get(server, host)).status]).toEqual([host, 200])
  const warnings = server.log.filter(({ level }) => level === 'warn')
  expect(warnings.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      /^A request was for the host other\.example, but REEVE_PUBLIC_URL is not set\. .*REEVE_HOSTS/,
    ),
  ])
  const finding = await readFinding()
  expect([finding.verdict, finding.found]).toEqual([
    'warning',
    'A request was for the host other.example, but REEVE_PUBLIC_URL is not set.',
  ])
  const signIn = await fetch(`${server.url}/portal/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: 'robin', password: PASSWORD }),
  })
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const info = await fetch(`${server.url}/admin/api/instance`, { headers: { cookie } })
  const { instance } = (await info.json()) as { instance: { warnings: object[] } }
  expect(instance.warnings).toEqual([{ found: finding.found, advice: finding.advice }])
})

test('no Host makes the server read another path than the one that was sent', async () => {
  const server = await start()
  for (const host of ['a', 'nas', 'pi:3000', '10.0.0.7']) {
    expect([host, (await get(server, host, '/abc/healthz')).status]).toEqual([host, 404])
    expect([host, (await get(server, host, '/healthz')).status]).toEqual([host, 200])
  }
  for (const host of [
    'a b',
    'a/b',
    'x/healthz?',
    'a?',
    'a#',
    'user@a',
    'a\\b',
    '%61',
    'a, b',
    '',
    '[::1',
    '[a]',
    'é',
  ])
    for (const [method, path] of [
      ['GET', '/abcdef/healthz'],
      ['HEAD', '/healthz'],
      ['POST', '/api/moderation'],
    ] as const)
      expect([host, (await get(server, host, path, method)).status]).toEqual([host, 400])
  const twice = 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'
  expect((await send(server, twice)).status).toBe(400)
  // Probes of load balancers.
  for (const [path, status] of [
    ['/readyz', 200],
    ['/abcdef/healthz', 404],
    ['/portal/api/me', 401],
  ] as const)
    expect([path, (await send(server, `GET ${path} HTTP/1.0\r\n\r\n`)).status]).toEqual([path, status])
})
