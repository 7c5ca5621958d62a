import { afterAll, beforeAll, expect, test } from 'bun:test'
import { METRICS_ENV, readServerMetrics } from '../support/metrics.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { formatRequest, openConnection } from '../support/raw-connection.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'

/** What the process may use whatever its clients do. */
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024
const folder = temporaryFolder()

let running: RunningServer
let workspaceId: string
let apiKey: string

beforeAll(async () => {
  running = await startServer({
    dataDir: folder.data,
    env: { ...METRICS_ENV, REEVE_KEY_RATE_PER_MINUTE: '0' },
  })
  const options = { dataDir: folder.data, stdin: 'a long enough secret' }
  const { out } = await runReeve([...INIT_ARGS, '--json'], options)
  ;({ workspaceId, apiKey } = JSON.parse(out) as { workspaceId: string; apiKey: string })
})
afterAll(async () => {
  await running.stop()
  folder.remove()
})

async function readResidentMemory(): Promise<number> {
  const metrics = await readServerMetrics(running.url)
  return Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)?.[1])
}

/** Sends all but the last byte of 3,000,000. */
async function sendMostOfABody(authorization: string) {
  const connection = await openConnection(running.url)
  const headers = { authorization, 'content-length': '3000000' }
  connection.write(formatRequest('POST', `/api/events?workspaceId=${workspaceId}`, { headers, body: '{' }))
  connection.write(' '.repeat(2_999_998))
  return connection
}

/** The values of the first promises that resolve. */
const takeFirst = (count: number, promises: readonly Promise<string>[]): Promise<string[]> =>
  new Promise((resolve) => {
    const values: string[] = []
    for (const promise of promises) {
      void promise.then((value) => {
        values.push(value)
        if (values.length === count) resolve(values)
      })
    }
  })

test('150 bodies that never end do not fill the memory, with credentials or without, and delay nobody', async () => {
  const strangers = await Promise.all(Array.from({ length: 150 }, () => sendMostOfABody('Bearer junk')))
  for (const text of await Promise.all(strangers.map(({ closed }) => closed)))
    expect(text).toStartWith('HTTP/1.1 401 Unauthorized')
  const callers = await Promise.all(Array.from({ length: 150 }, () => sendMostOfABody(`Bearer ${apiKey}`)))
  // Five fit into the share of a workspace.
  const rejected = await takeFirst(
    145,
    callers.map(({ closed }) => closed),
  )
  for (const text of rejected) expect(text).toStartWith('HTTP/1.1 503 Service Unavailable')
  const check = `${running.url}/api/moderation?workspaceId=${workspaceId}&banList=true&userId=1`
  expect((await fetch(check, { headers: { authorization: `Bearer ${apiKey}` } })).status).toBe(200)
  expect(await readResidentMemory()).toBeLessThan(MAX_RESIDENT_BYTES)
  for (const { close } of callers) close()
}, 60_000)

test('headers that take longer than about ten seconds are not waited for', async () => {
  const connection = await openConnection(running.url)
  connection.write('GET /healthz HTTP/1.1\r\nhost: ')
  const trickle = setInterval(() => connection.write('x'), 500)
  const startedAt = performance.now()
  expect(await connection.closed).not.toContain('200')
  clearInterval(trickle)
  expect(performance.now() - startedAt).toBeLessThan(16_000)
}, 60_000)
