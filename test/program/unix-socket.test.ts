import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '@reeve/api/config'
import { PASSWORD } from '../support/instance.ts'
import { startNginx } from '../support/nginx.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

setDefaultTimeout(60_000)

const PUBLIC_URL = 'http://staff.example'

let folder: TemporaryFolder
let path: string
const started: RunningServer[] = []
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'reeve.sock')
})
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop()
  folder.remove()
})

const env = (more: Record<string, string> = {}) => ({
  ...{ REEVE_LISTEN: `unix:${path}`, REEVE_PUBLIC_URL: PUBLIC_URL },
  ...more,
})
async function start(more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ dataDir: folder.data, env: env(more) })
  started.push(server)
  return server
}
const request = (requestPath: string, init: RequestInit = {}) =>
  fetch(`${PUBLIC_URL}${requestPath}`, { ...init, unix: path })
const getMode = () => (statSync(path).mode & 0o777).toString(8)

/** Signs in. @returns the cookie */
async function signIn(headers: Record<string, string> = {}): Promise<string> {
  const response = await request('/portal/api/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify({ username: 'robin', password: PASSWORD }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Signs in with a forwarding header. @returns the IP address that the session has */
async function signInFrom(ip: string): Promise<unknown> {
  const cookie = await signIn({ 'x-forwarded-for': ip })
  const sessions = await request('/portal/api/sessions', { headers: { cookie } })
  const body = (await sessions.json()) as { sessions: { address: string }[] }
  return body.sessions[0]?.address
}

test('a server listens on a socket for its user and group, and removes it when it stops', async () => {
  const server = await start()
  expect(server.url).toBe(`unix:${path}`)
  expect(getMode()).toBe('660')
  expect((await request('/readyz')).status).toBe(200)
  expect((await request('/metrics')).status).toBe(404)
  expect(await server.stop()).toBe(0)
  expect(existsSync(path)).toBe(false)
  await start({ REEVE_LISTEN_MODE: '666' })
  expect(getMode()).toBe('666')
})

test('the proxy determines the client’s address, if 127.0.0.1 is a trusted proxy', async () => {
  const trusting = await start({ REEVE_TRUSTED_PROXIES: '127.0.0.1' })
  parseJsonOutput(await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD }))
  expect(await signInFrom('203.0.113.7')).toBe('203.0.113.7')
  await trusting.stop()
  await start()
  expect(await signInFrom('203.0.113.7')).toBe('127.0.0.1')
})

test('an event stream over the socket stays open while nothing happens', async () => {
  await start()
  const initResult = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
  const { workspaceId } = parseJsonOutput<{ workspaceId: string }>(initResult)
  const stream = await request(`/portal/api/live?workspaceId=${workspaceId}`, {
    headers: { cookie: await signIn() },
  })
  const reader = stream.body?.getReader()
  // Later than Bun's own idle timeout of 10 seconds.
  for (let text = ''; !text.endsWith('event: heartbeat\ndata: {}\n\n'); ) {
    const chunk = await reader?.read()
    expect(chunk?.done).toBe(false)
    text += new TextDecoder().decode(chunk?.value)
  }
  await reader?.cancel()
})

test('nginx serves it', async () => {
  await start()
  const nginx = await startNginx([`unix:${path}`])
  expect(await (await fetch(`${nginx.url}/readyz`)).json()).toEqual({ status: 'ok' })
  await nginx.stop()
})

test('a second server on the socket is refused, and the first one keeps it', async () => {
  await start()
  const second = await runReeve(['serve'], { dataDir: join(folder.path, 'other'), env: env() })
  expect(second).toMatchObject({
    exitCode: 1,
    err: `REEVE_LISTEN: another server is already listening on ${path}. Stop that server, or set another path.\n`,
  })
  expect((await request('/readyz')).status).toBe(200)
})

test('the socket of a server that was killed is replaced', async () => {
  const killed = await startServer({ dataDir: folder.data, env: env() })
  killed.signal('SIGKILL')
  await killed.exited
  expect(existsSync(path)).toBe(true)
  await start()
  expect((await request('/readyz')).status).toBe(200)
})

test('another file at the path, or a missing folder, is an error that changes nothing', async () => {
  writeFileSync(path, 'notes')
  const occupied = await runReeve(['serve'], { dataDir: folder.data, env: env() })
  expect(occupied).toMatchObject({
    exitCode: 1,
    err: `REEVE_LISTEN: ${path} exists and is not a socket. Remove it, or set another path.\n`,
  })
  expect(readFileSync(path, 'utf8')).toBe('notes')
  const missing = join(folder.path, 'missing/reeve.sock')
  const result = await runReeve(['serve'], {
    dataDir: folder.data,
    env: env({ REEVE_LISTEN: `unix:${missing}` }),
  })
  expect(result).toMatchObject({
    exitCode: 1,
    err: `REEVE_LISTEN: the folder of ${missing} does not exist. Create it, or set another path.\n`,
  })
})

test('invalid settings of the socket are named', () => {
  const listProblems = (more: Record<string, string>) => {
    try {
      readConfig({}, { REEVE_PUBLIC_URL: PUBLIC_URL, REEVE_LISTEN: 'unix:/run/reeve.sock', ...more })
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
  }
  expect(listProblems({})).toEqual([])
  for (const REEVE_LISTEN of ['/run/reeve.sock', 'unix:reeve.sock', 'unix:/', 'unix:/run/', 'tcp:1'])
    expect(listProblems({ REEVE_LISTEN })[0]).toStartWith('REEVE_LISTEN must be unix: and an absolute path')
  expect(listProblems({ REEVE_LISTEN: `unix:/${'x'.repeat(103)}` })[0]).toContain('longer than 103 bytes')
  for (const REEVE_LISTEN_MODE of ['rw', '060', '888', '1'])
    expect(listProblems({ REEVE_LISTEN_MODE })[0]).toStartWith('REEVE_LISTEN_MODE must be an octal file mode')
  expect(listProblems({ REEVE_PUBLIC_URL: '' })).toEqual([
    'REEVE_LISTEN requires REEVE_PUBLIC_URL: the URL at which the reverse proxy makes the socket available.',
  ])
  expect(listProblems({ REEVE_SHARE_PORT: 'yes' })[0]).toStartWith('REEVE_SHARE_PORT has no meaning with')
})
