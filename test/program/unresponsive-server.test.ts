import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { PROGRAM, type RunningServer, runReeve, startServer } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

// Commands wait several seconds for the server.
setDefaultTimeout(60_000)

let folder: TemporaryFolder
let server: RunningServer
beforeAll(async () => {
  folder = temporaryFolder()
  await runInFolder(folder, INIT_ARGS, PASSWORD)
  server = await startServer({ dataDir: folder.data })
  server.signal('SIGSTOP')
})
afterAll(async () => {
  server.signal('SIGCONT')
  await server.stop()
  folder.remove()
})

test('the doctor reports a server that does not respond', async () => {
  const { exitCode, out } = await runReeve(['doctor', '--json'], { dataDir: folder.data })
  expect(exitCode).toBe(1)
  expect(JSON.parse(out).findings).toContainEqual(
    expect.objectContaining({
      check: 'requests',
      verdict: 'fault',
      found: `The server that uses ${folder.data} has not responded for 5 seconds.`,
    }),
  )
})

test('a command says that it waits for a server that does not respond, and completes once it does', async () => {
  const child = Bun.spawn([...PROGRAM, 'user', 'list'], {
    env: { ...process.env, REEVE_DATA_DIR: folder.data, REEVE_SECRET_KEY: SECRET_KEY },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { value } = await child.stderr.getReader().read()
  expect(new TextDecoder().decode(value)).toStartWith(
    `The server that uses ${folder.data} does not respond. Waiting for it;`,
  )
  server.signal('SIGCONT')
  expect(await new Response(child.stdout).text()).toContain('robin')
  expect(await child.exited).toBe(0)
})
