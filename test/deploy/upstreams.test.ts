import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@reeve/db/test-cluster'
import { pollUntil } from '../support/poll.ts'
import { type RunningServer, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { UPSTREAMS_SCRIPT } from './nginx.ts'

setDefaultTimeout(60_000)

let folder: TemporaryFolder
let file: string
let running: RunningServer
let script: ReturnType<typeof startScript> | null = null
beforeEach(async () => {
  folder = temporaryFolder()
  file = join(folder.path, 'reeve-upstreams.conf')
  const env = {
    REEVE_LISTEN: `unix:${folder.path}/reeve.sock`,
    REEVE_PUBLIC_URL: 'https://staff.example.com',
  }
  running = await startServer({ dataDir: folder.data, env })
})
afterEach(async () => {
  script?.kill('SIGTERM')
  await script?.exited
  script = null
  await running.stop()
  folder.remove()
})

const startScript = (reload: string) =>
  Bun.spawn(['/bin/sh', UPSTREAMS_SCRIPT, file], {
    env: { ...process.env, RELOAD: reload },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })

const readLines = () => readFileSync(file, 'utf8').split('\n')

const waitForFile = (lines: readonly string[]): Promise<void> =>
  pollUntil(async () => Bun.deepEquals(readLines(), lines), 'the file has the lines')

test('only processes that are not ready are marked, also on a socket, and nothing is marked once it ends', async () => {
  const port = freePort()
  const lines = [
    '# A comment about server 127.0.0.1.',
    `server 127.0.0.1:${port} max_fails=2 fail_timeout=5s;`,
    `server 127.0.0.1:${port};`,
    `server unix:${folder.path}/reeve.sock;`,
    '',
  ]
  writeFileSync(file, lines.join('\n'))
  const reloaded = join(folder.path, 'reloaded')
  script = startScript(`cp ${file} ${reloaded}`)
  const marked = lines.map((line) => (line.includes(`:${port}`) ? line.replace(';', ' down;') : line))
  await waitForFile(marked)
  script.kill('SIGTERM')
  await script.exited
  expect(readLines()).toEqual(lines)
  expect(readFileSync(reloaded, 'utf8').split('\n')).toEqual(lines)
})

test('while no process is ready, none is marked', async () => {
  const ports = [freePort(), freePort()]
  const lines = [...ports.map((port) => `server 127.0.0.1:${port};`), '']
  writeFileSync(file, lines.map((line) => line.replace(';', ' down;')).join('\n'))
  script = startScript('true')
  await waitForFile(lines)
})
