import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { PASSWORD } from '../support/instance.ts'
import { METRICS_ENV, readSeries, readServerMetrics } from '../support/metrics.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS } from './commands.ts'
import { measureDelay, measureUntil, request } from './replicas.ts'

const TIMEOUT_MS = 120_000
/** Until the server has noticed that PostgreSQL does not respond: after two seconds it is checked, with a margin for a busy machine. */
const MAX_NOTICED_MS = 15_000
/** Requests are rejected without PostgreSQL: far less than any of its timeouts. */
const MAX_REJECTED_MS = 1000

let folder: TemporaryFolder
let databaseUrl: string
let database: ReturnType<typeof createFaultProxy>
let server: RunningServer
let access: { readonly workspaceId: string; readonly apiKey: string }

beforeAll(async () => {
  folder = temporaryFolder()
  databaseUrl = await createDatabase('template1')
  database = createFaultProxy(databaseUrl)
  const env = { ...METRICS_ENV, REEVE_DATABASE_URL: databaseUrl, REEVE_KEY_RATE_PER_MINUTE: '0' }
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, env, stdin: PASSWORD })
  access = JSON.parse(out)
  server = await startServer({ dataDir: folder.data, env: { ...env, REEVE_DATABASE_URL: database.url } })
}, TIMEOUT_MS)
afterAll(async () => {
  database?.unblock()
  await server?.stop()
  await dropDatabase(databaseUrl)
  folder.remove()
})

/** A read, a ban check and a write. */
const requests = [
  () => send('GET', '/api/departments'),
  () => send('GET', '/api/moderation', '&userId=1&banList=true'),
  () => send('POST', '/api/moderation', '', { action: 'ban', userId: '1', reason: 'Exploits' }),
]

async function send(method: string, path: string, query = '', body?: object) {
  const { workspaceId, apiKey: key } = access
  const response = request(server, method, `${path}?workspaceId=${workspaceId}${query}`, {
    key,
    ...(body && { body: { workspaceId, ...body } }),
  })
  const ms = await measureDelay(server, response)
  return { ...(await response), ms }
}

const sendAll = () => Promise.all(requests.map((sendRequest) => sendRequest()))

test(
  'while PostgreSQL hangs, requests get 503 once it is noticed and then at once, with their ID in the log, until it responds',
  async () => {
    expect((await sendAll()).map(({ status }) => status)).toEqual([200, 200, 200])
    database.block('stalled')
    const first = await sendAll()
    const later = [...(await sendAll()), ...(await sendAll())]
    for (const { ms } of first) expect(ms).toBeLessThan(MAX_NOTICED_MS)
    for (const { ms } of later) expect(ms).toBeLessThan(MAX_REJECTED_MS)
    for (const { status, headers, body } of [...first, ...later]) {
      expect(status).toBe(503)
      expect(body).toMatchObject({ code: 'unavailable', requestId: headers.get('x-request-id') })
      expect(headers.get('retry-after')).toBe('1')
      const line = await server.waitForLog(
        ({ msg, requestId }) => msg === 'request' && requestId === body.requestId,
      )
      expect(line.status).toBe(503)
      // The cause is in a line of its own.
      await server.waitForLog(({ msg, requestId }) => msg === 'failure' && requestId === body.requestId)
    }
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)

    database.unblock()
    await measureUntil(async () => (await sendAll()).every(({ status }) => status === 200))
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const { body } = await send('GET', '/api/moderation', '&userId=1')
    expect(body.records.map((record: { action: string }) => record.action)).toContain('ban')
  },
  TIMEOUT_MS,
)

test(
  'jobs that wait for work do not fail while PostgreSQL hangs, so that no alert follows',
  async () => {
    const names = ['imports', 'erasures', 'batches', 'workspace-jobs']
    const readRuns = async (result: 'succeeded' | 'failed') => {
      const text = await readServerMetrics(server.url)
      return names.map((name) =>
        readSeries(text, `reeve_job_runs_total{job_name="${name}",result="${result}"}`),
      )
    }
    await sendAll()
    database.block('stalled')
    const before = await readRuns('succeeded')
    const hasRunTwice = async () => {
      const after = [await readRuns('succeeded'), await readRuns('failed')]
      return before.every(
        (runs, index) => Number(after[0]?.[index]) + Number(after[1]?.[index]) >= Number(runs) + 2,
      )
    }
    // The second run begins during the outage.
    while (!(await hasRunTwice())) await Bun.sleep(100)
    expect(await readRuns('failed')).toEqual(names.map(() => 0))
    database.unblock()
  },
  TIMEOUT_MS,
)
