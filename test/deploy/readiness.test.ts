import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, createFaultProxy, dropDatabase } from '@reeve/db/test-cluster'
import { INIT_ARGS } from '../program/commands.ts'
import { PASSWORD } from '../support/instance.ts'
import { METRICS_ENV, readServerMetrics } from '../support/metrics.ts'
import { pollUntil } from '../support/poll.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startDeployedCaddy } from './caddy.ts'
import { startDeployedNginx } from './nginx.ts'

/** The checks of both proxies run every two seconds. */
setDefaultTimeout(60_000)

interface DeployedProxy {
  readonly fetchPath: (path: string, init?: RequestInit) => Promise<Response>
  readonly close: () => Promise<void>
}

const proxies: readonly [name: string, start: (first: number, second: number) => Promise<DeployedProxy>][] = [
  ['nginx', (first, second) => startDeployedNginx({ upstreams: [first, second] }, { checksReadiness: true })],
  ['Caddy', (first, second) => startDeployedCaddy([first, second])],
]

const folder = temporaryFolder()
let databaseUrl: string
let databases: ReturnType<typeof createFaultProxy>[]
let replicas: RunningServer[]
let created: { workspaceId: string; apiKey: string }
let proxy: DeployedProxy | null = null

beforeAll(async () => {
  databaseUrl = await createDatabase('template1')
  databases = [createFaultProxy(databaseUrl), createFaultProxy(databaseUrl)]
  const env = { ...METRICS_ENV, REEVE_DATABASE_URL: databaseUrl, REEVE_KEY_RATE_PER_MINUTE: '0' }
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, env, stdin: PASSWORD })
  created = JSON.parse(out)
  replicas = await Promise.all(
    databases.map(({ url }) =>
      startServer({ dataDir: folder.data, env: { ...env, REEVE_DATABASE_URL: url } }),
    ),
  )
})
afterEach(async () => {
  for (const database of databases ?? []) database.unblock()
  await proxy?.close()
  proxy = null
})
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.stop()
  await dropDatabase(databaseUrl)
  folder.remove()
})

/** How many requests a replica has answered, apart from probes. */
async function countRequests({ url }: RunningServer): Promise<number> {
  const text = await readServerMetrics(url)
  const counts = [...text.matchAll(/^reeve_http_responses_total\{.*route="\/api\/moderation".*\} (\d+)$/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Sends ban checks and notes through the proxy. @returns their statuses, and how many arrived at each replica */
async function sendRequests({ fetchPath }: DeployedProxy, count: number) {
  const headers = { authorization: `Bearer ${created.apiKey}`, 'content-type': 'application/json' }
  const { workspaceId } = created
  const before = await Promise.all(replicas.map(countRequests))
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const note = { workspaceId, action: 'note', userId: String(index + 1), reason: 'Seen' }
      const response =
        index % 2 === 0
          ? await fetchPath(`/api/moderation?workspaceId=${workspaceId}&userId=1`, { headers })
          : await fetchPath('/api/moderation', { method: 'POST', headers, body: JSON.stringify(note) })
      await response.arrayBuffer()
      return response.status
    }),
  )
  const after = await Promise.all(replicas.map(countRequests))
  return { statuses: new Set(statuses), received: after.map((total, index) => total - (before[index] ?? 0)) }
}

/** How many requests `waitForReplicas` sends at a time: enough that each replica gets some. */
const PROBES = 12
/** Between these requests, because nginx rejects more than 100 a second from one address with 429. */
const PROBE_INTERVAL_MS = 150

/** Sends requests until the replicas that get some are exactly these. */
async function waitForReplicas(deployed: DeployedProxy, expected: readonly boolean[]): Promise<void> {
  for (;;) {
    const { statuses, received } = await sendRequests(deployed, PROBES)
    expect(statuses).not.toContain(429)
    if (received.every((count, index) => count > 0 === expected[index])) return
    await Bun.sleep(PROBE_INTERVAL_MS)
  }
}

test.each(proxies)(
  'behind %s, a replica without its database gets no traffic until it is back',
  async (_, start) => {
    const [first, second] = replicas.map(({ url }) => Number(new URL(url).port))
    proxy = await start(first ?? 0, second ?? 0)
    await waitForReplicas(proxy, [true, true])
    databases[1]?.block('cut')
    await waitForReplicas(proxy, [true, false])
    const { statuses, received } = await sendRequests(proxy, 100)
    expect(statuses).toEqual(new Set([200]))
    expect(received).toEqual([100, 0])
    databases[1]?.unblock()
    await waitForReplicas(proxy, [true, true])
  },
)

test.each(proxies)(
  'behind %s, requests get 503 while no replica has its database, and are answered once it is back',
  async (_, start) => {
    const [first, second] = replicas.map(({ url }) => Number(new URL(url).port))
    proxy = await start(first ?? 0, second ?? 0)
    for (const database of databases) database.block('cut')
    for (const { url } of replicas)
      await pollUntil(async () => (await fetch(`${url}/readyz`)).status === 503, 'the replica is not ready')
    const { statuses } = await sendRequests(proxy, 4)
    expect(statuses).toEqual(new Set([503]))
    for (const database of databases) database.unblock()
    await waitForReplicas(proxy, [true, true])
  },
)
