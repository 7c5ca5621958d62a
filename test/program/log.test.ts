import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LogLine, PROGRAM, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

const PASSWORD = 'planted-password-7781'
const MISTYPED = `rve_${'x'.repeat(49)}`
const folder = temporaryFolder()

let running: RunningServer
let workspaceId: string
let apiKey: string

beforeAll(async () => {
  running = await startServer({ dataDir: folder.data, env: { REEVE_LOG_LEVEL: 'debug' } })
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, stdin: PASSWORD })
  ;({ workspaceId, apiKey } = JSON.parse(out) as { workspaceId: string; apiKey: string })
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

/** Sends a request with a unique ID. @returns its log line */
async function requestAndReadLine(path: string, init: RequestInit = {}, key = apiKey): Promise<LogLine> {
  const requestId = crypto.randomUUID()
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': requestId,
  }
  await fetch(new URL(path, running.url), { ...init, headers: { ...headers, ...(init.headers as object) } })
  return running.waitForLog((line) => line.requestId === requestId)
}

const post = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })

test('a write is logged at info with its actor, workspace, route, status and duration', async () => {
  const line = await requestAndReadLine('/api/departments', post({ workspaceId, name: 'Trainers' }))
  expect(line).toMatchObject({
    level: 'info',
    msg: 'request',
    method: 'POST',
    route: '/api/departments',
    status: 200,
    workspace: workspaceId,
  })
  expect(line.actor).toMatch(/^api_key:/)
  expect(line.durationMs).toBeNumber()
  expect(new Date(String(line.time)).toISOString()).toBe(String(line.time))
})

test('a rejected request is logged at info', async () => {
  expect(await requestAndReadLine('/api/departments', {}, MISTYPED)).toMatchObject({
    level: 'info',
    status: 400,
  })
  const departmentsPath = `/api/departments?workspaceId=${workspaceId}`
  expect(await requestAndReadLine(departmentsPath, {}, MISTYPED)).toMatchObject({
    level: 'info',
    status: 401,
    actor: '',
  })
  expect(await requestAndReadLine('/no/such/place')).toMatchObject({ level: 'info', status: 404, route: '' })
})

test('a read is logged at debug, also with POST', async () => {
  expect(await requestAndReadLine(`/api/departments?workspaceId=${workspaceId}`)).toMatchObject({
    level: 'debug',
    status: 200,
  })
  expect(await requestAndReadLine('/api/endpoint-controls', { method: 'POST' })).toMatchObject({
    level: 'debug',
    status: 200,
  })
  const check = `/api/moderation?workspaceId=${workspaceId}&banList=true`
  expect(await requestAndReadLine(check, { method: 'POST' })).toMatchObject({ level: 'debug', status: 200 })
})

test('a command over the control socket is logged by name', async () => {
  await running.waitForLog((line) => line.command === 'init' && line.outcome === 'ok')
  await runReeve(['user', 'link', '--username', 'nobody'], { dataDir: folder.data })
  await running.waitForLog((line) => line.command === 'user link' && line.outcome === 'not_found')
})

test('no key, password, query or body appears in the log', async () => {
  const secretText = 'planted-text-5512'
  await requestAndReadLine(`/api/departments?workspaceId=${workspaceId}&secret=${secretText}`)
  await requestAndReadLine(`/${secretText}`)
  await requestAndReadLine('/api/departments', {
    ...post({ workspaceId, name: secretText }),
    headers: { 'x-secret': secretText },
  })
  await requestAndReadLine('/portal/api/sign-in', {
    ...post({ username: secretText, password: PASSWORD }),
    headers: { authorization: '', 'sec-fetch-site': 'same-origin' },
  })
  const logText = JSON.stringify(running.log)
  for (const secret of [apiKey, MISTYPED, PASSWORD, secretText]) expect(logText).not.toContain(secret)
})

test('the server keeps running when the reader of its log exits', async () => {
  const otherFolder = temporaryFolder()
  const child = Bun.spawn([...PROGRAM, 'serve', '--port', '0'], {
    env: {
      ...process.env,
      REEVE_DATA_DIR: otherFolder.data,
      REEVE_SECRET_KEY: SECRET_KEY,
      REEVE_LOG_LEVEL: 'debug',
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  const [first = ''] = new TextDecoder().decode(value).split('\n')
  const { url } = JSON.parse(first) as { url: string }
  await reader.cancel()
  for (let requestIndex = 0; requestIndex < 5; requestIndex++)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const { out } = await runReeve(['migrate', '--json'], { dataDir: otherFolder.data })
  expect(out).toBe('{"applied":[]}\n')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  otherFolder.remove()
})
