import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { parseJsonOutput } from './commands.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const options = { dataDir: folder.data }
const check = (...args: string[]) => runReeve(['health', ...args], options)
/** Containers have these variables, and nothing listens on this port. */
const PROXY_ENV = { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' }

test('`reeve health` exits with 0 while the server is ready, and with 1 once it has stopped', async () => {
  const running = await startServer(options)
  const { port } = new URL(running.url)
  expect(parseJsonOutput<object>(await check('--json', '--port', port))).toEqual({
    ready: true,
    server: `http://127.0.0.1:${port}/readyz`,
    problem: null,
  })
  expect((await check('--host', '0.0.0.0', '--port', port)).exitCode).toBe(0)
  await running.stop()
  const { exitCode, out } = await check('--port', port)
  expect({ exitCode, out }).toMatchObject({ exitCode: 1 })
  expect(out).toStartWith(`Not ready: http://127.0.0.1:${port}/readyz: `)
})

test('it asks the server itself where the environment names a proxy', async () => {
  const running = await startServer(options)
  const { port } = new URL(running.url)
  const args = ['health', '--host', '0.0.0.0', '--port', port]
  const { exitCode, out } = await runReeve(args, { ...options, env: PROXY_ENV })
  expect([exitCode, out]).toEqual([0, 'The server is ready.\n'])
  await running.stop()
})

test('it asks over the Unix socket that the server listens on', async () => {
  const socket = `unix:${join(folder.path, 'http.sock')}`
  const running = await startServer({
    ...options,
    flags: ['--listen', socket, '--public-url', 'https://staff.example.com'],
  })
  expect((await check('--listen', socket)).exitCode).toBe(0)
  expect(await running.stop()).toBe(0)
})

test('a server that accepts a connection and does not respond is not ready', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  expect((await check('--port', String(port))).exitCode).toBe(1)
  silent.close()
}, 60_000)
