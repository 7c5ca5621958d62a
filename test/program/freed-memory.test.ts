import { afterEach, beforeEach, expect, test } from 'bun:test'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, PROGRAM, type RunningServer, SOURCE, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'

const ALLOCATOR_SETTINGS = {
  MIMALLOC_PURGE_DELAY: '10000',
  MIMALLOC_PURGE_HOLES_MIN_INTERVAL: '1000',
}

let folder: TemporaryFolder
let server: RunningServer | undefined

beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  folder.remove()
})

async function start(program: readonly string[], env: Readonly<Record<string, string>> = {}) {
  server = await startServer({ dataDir: folder.data, program, env })
  return server
}

/** The settings of a process's memory allocator. */
const readAllocatorSettings = ({ pid }: RunningServer) =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((assignment) => assignment.startsWith('MIMALLOC_'))
      .map((assignment) => assignment.split('=')),
  )

const memoryWarnings = ({ log }: RunningServer) => log.filter(({ msg }) => msg.includes('freed memory'))

test.each([
  ['the binary', BINARY],
  ['the program from source', SOURCE],
])('%s keeps freed memory for seconds, in the process that was started', async (_, program) => {
  const started = await start(program)
  expect(readAllocatorSettings(started)).toEqual(ALLOCATOR_SETTINGS)
  expect(memoryWarnings(started)).toEqual([])
  expect(await started.stop()).toBe(0)
})

test('a setting in the environment is respected', async () => {
  const started = await start(PROGRAM, { MIMALLOC_PURGE_DELAY: '500' })
  expect(readAllocatorSettings(started)).toEqual({ ...ALLOCATOR_SETTINGS, MIMALLOC_PURGE_DELAY: '500' })
})

test('a server that cannot restart warns, and serves', async () => {
  const deleted = join(folder.path, 'reeve')
  copyFileSync(BINARY[0], deleted)
  const startDeleted = 'exec 3<"$0" && rm "$0" && exec /proc/self/fd/3 "$@"'
  const started = await start(['sh', '-c', startDeleted, deleted])
  expect(memoryWarnings(started).map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      /^Reeve could not restart with MIMALLOC_PURGE_DELAY=10000 and MIMALLOC_PURGE_HOLES_MIN_INTERVAL=1000 \(.*ENOENT.*\), so it returns freed memory too early, and requests take longer under load\. Set these variables in its environment\.$/,
    ),
  ])
  expect((await fetch(new URL('/readyz', started.url))).status).toBe(200)
})
