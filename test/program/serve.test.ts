import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { VERSION } from '@reeve/api/version'
import { PASSWORD } from '../support/instance.ts'
import { isRefused } from '../support/listening.ts'
import { pollUntil } from '../support/poll.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

let folder: TemporaryFolder
let started: RunningServer[]

beforeEach(() => {
  folder = temporaryFolder()
  started = []
})
afterEach(async () => {
  for (const running of started) {
    running.signal('SIGKILL')
    await running.exited
  }
  folder.remove()
})

async function start(
  options: Omit<Parameters<typeof startServer>[0], 'dataDir'> = {},
): Promise<RunningServer> {
  const running = await startServer({ dataDir: folder.data, ...options })
  started.push(running)
  return running
}

interface InitResult {
  readonly workspaceId: string
  readonly apiKey: string
}

async function initializeInstance(): Promise<InitResult> {
  const { out, exitCode, err } = await runReeve([...INIT_ARGS, '--json'], {
    dataDir: folder.data,
    stdin: PASSWORD,
  })
  expect(err).toBe('')
  expect(exitCode).toBe(0)
  return JSON.parse(out) as InitResult
}

/** A connection with a request whose body is incomplete. */
async function beginRequest(url: string, key: string, body: string, fullBody: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    [
      'POST /api/departments HTTP/1.1',
      'Host: reeve',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(fullBody)}`,
      '',
      body,
    ].join('\r\n'),
  )
  return socket
}

const readResponse = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })

test('port 0 chooses a free port, and the log names the port and the data folder', async () => {
  const running = await start()
  const { msg, url, dataDir } = await running.waitForLog((line) => line.url !== undefined)
  expect(msg).toContain(running.url)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(dataDir).toBe(folder.data)
  expect(await (await fetch(`${running.url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION })
  expect(await (await fetch(`${running.url}/readyz`)).json()).toEqual({ status: 'ok' })
})

test('the first-run code is in the log until an account exists', async () => {
  const first = await start()
  const { firstRunCode } = await first.waitForLog((line) => line.firstRunCode !== undefined)
  expect(firstRunCode).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/)
  await initializeInstance()
  expect(await first.stop()).toBe(0)
  const second = await start()
  await second.stop()
  expect(second.log.some((line) => 'firstRunCode' in line)).toBe(false)
})

test('the URL is logged at every log level', async () => {
  for (const level of ['error', 'silent']) {
    const running = await start({ env: { REEVE_LOG_LEVEL: level } })
    expect(await running.stop()).toBe(0)
    expect(running.log.every((line) => 'url' in line || 'firstRunCode' in line)).toBe(true)
  }
})

test('a port in use is reported in one line, and the data folder is unlocked', async () => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = other
  const { exitCode, err, out } = await runReeve(['serve', '--port', String(port)], {
    dataDir: folder.data,
  })
  await other.stop(true)
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  expect(err).toBe(
    `Another program is already using port ${port} on 127.0.0.1. Set REEVE_PORT or --port to another port.\n`,
  )
  await start()
})

test('a second server on the port of the first is refused, and the first keeps running', async () => {
  const first = await start()
  const { port } = new URL(first.url)
  const { exitCode, err } = await runReeve(['serve', '--port', port], {
    dataDir: join(folder.path, 'second'),
  })
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: `Another program is already using port ${port} on 127.0.0.1. Set REEVE_PORT or --port to another port.\n`,
  })
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
})

test('invalid settings abort startup with exit status 2 before anything is written, and all problems are listed', async () => {
  const env = { REEVE_PORT: 'x', REEVE_TRUSTED_PROXIES: 'y', REEVE_HSOT: 'z' }
  const { exitCode, err, out } = await runReeve(['serve', '--log-level', 'loud'], {
    dataDir: folder.data,
    env,
  })
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
  for (const name of ['REEVE_PORT', 'REEVE_TRUSTED_PROXIES', 'REEVE_HSOT', '--log-level']) {
    expect(err).toContain(name)
  }
  expect(existsSync(folder.data)).toBe(false)
})

test('a second server on the same folder is refused, and the first keeps running', async () => {
  const running = await start()
  const { exitCode, err } = await runReeve(['serve', '--port', '0'], { dataDir: folder.data })
  expect(exitCode).toBe(1)
  expect(err).toContain(`Another Reeve process is using ${folder.data}`)
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
})

test('SIGTERM stops accepting requests, finishes those in progress, and exits with status 0', async () => {
  const running = await start()
  const { workspaceId, apiKey } = await initializeInstance()
  const body = JSON.stringify({ workspaceId, name: 'Public relations' })
  const socket = await beginRequest(running.url, apiKey, body.slice(0, 20), body)
  const response = readResponse(socket)
  running.signal('SIGTERM')
  await running.waitForLog((line) => line.msg === 'stopping')
  await pollUntil(() => isRefused(running.url), 'the server accepts no connections')
  socket.write(body.slice(20))
  expect(await response).toContain('200 OK')
  expect(await running.exited).toBe(0)
  expect(running.log.at(-1)?.msg).toBe('stopped')
  expect(existsSync(join(folder.data, 'reeve.sock'))).toBe(false)
  expect(statSync(join(folder.data, 'reeve.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)

  // The answered write is stored and logged.
  expect(running.log.some((line) => line.route === '/api/departments' && line.status === 200)).toBe(true)
  const restartedServer = await start()
  const listed = await fetch(`${restartedServer.url}/api/departments?workspaceId=${workspaceId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  expect(await listed.json()).toMatchObject({ departments: [{ name: 'Public relations' }] })
})

test('a closed terminal stops the server in the same way', async () => {
  const running = await start()
  running.signal('SIGHUP')
  expect(await running.exited).toBe(0)
  expect(running.log.at(-1)?.msg).toBe('stopped')
})

test('a database that another program keeps locked is reported with the way out', async () => {
  await initializeInstance()
  const other = new Database(join(folder.data, 'reeve.db'))
  other.run('PRAGMA locking_mode = EXCLUSIVE')
  other.run('BEGIN IMMEDIATE')
  const { exitCode, err } = await runReeve(['serve', '--port', '0'], { dataDir: folder.data })
  other.close()
  expect(exitCode).toBe(1)
  for (const text of ['Another program keeps the database file locked', 'Close it, then try again.'])
    expect(err).toContain(text)
}, 60_000)

test('a damaged database is reported with the way to repair it, and left unchanged', async () => {
  await initializeInstance()
  const database = join(folder.data, 'reeve.db')
  const damaged = 'not a database any more '.repeat(1000)
  writeFileSync(database, damaged)
  const { exitCode, err } = await runReeve(['serve', '--port', '0'], { dataDir: folder.data })
  expect(exitCode).toBe(1)
  for (const text of ['database file is damaged', '`reeve doctor`', '`reeve restore --from <backup>`']) {
    expect(err).toContain(text)
  }
  expect(readFileSync(database, 'utf8')).toBe(damaged)
})

test('a later second signal exits immediately', async () => {
  const running = await start()
  const { workspaceId, apiKey } = await initializeInstance()
  const body = JSON.stringify({ workspaceId, name: 'never whole' })
  const socket = await beginRequest(running.url, apiKey, body.slice(0, 20), body)
  socket.on('error', () => {})
  running.signal('SIGINT')
  running.signal('SIGINT')
  await running.waitForLog((line) => line.msg === 'stopping')
  let code: number | null = null
  void running.exited.then((ended) => {
    code = ended
  })
  while (code === null) {
    running.signal('SIGTERM')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(code).not.toBe(0)
  socket.destroy()
})

test('the control socket of a killed server does not prevent the next start', async () => {
  const killed = await start()
  killed.signal('SIGKILL')
  await killed.exited
  expect(existsSync(join(folder.data, 'reeve.sock'))).toBe(true)
  await start()
  const { exitCode, out } = await runReeve(['user', 'list', '--json'], { dataDir: folder.data })
  expect({ exitCode, out }).toEqual({ exitCode: 0, out: '{"accounts":[]}\n' })
})

test('only the user that runs the server can open the control socket', async () => {
  await start()
  expect(statSync(join(folder.data, 'reeve.sock')).mode & 0o777).toBe(0o600)
})

test('a data folder whose path is too long for a control socket is served with a warning', async () => {
  const dataDir = join(folder.path, 'd'.repeat(120))
  const running = await startServer({ dataDir })
  started.push(running)
  const { msg } = await running.waitForLog((line) => line.level === 'warn')
  expect(msg).toContain('too long for a control socket')
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
})

test('a folder with other files is refused, and nothing is written there', async () => {
  writeFileSync(join(folder.path, 'thesis.odt'), 'mine')
  const { exitCode, err } = await runReeve(['serve', '--port', '0'], { dataDir: folder.path })
  expect(exitCode).toBe(1)
  expect(err).toContain('thesis.odt')
  expect(existsSync(join(folder.path, 'reeve.db'))).toBe(false)
})
