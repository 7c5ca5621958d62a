import { afterAll, beforeAll, expect, test } from 'bun:test'
import { freePorts } from '@reeve/db/test-cluster'
import { INIT_ARGS } from '../program/commands.ts'
import { PASSWORD } from '../support/instance.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startDeployedCaddy } from './caddy.ts'
import { startDeployedNginx } from './nginx.ts'

/** The longest wait of the change feed, and how long Roblox waits for a response. */
const WAIT_SECONDS = 25
const ROBLOX_TIMEOUT_SECONDS = 30
/** How fast a change must end a wait: well before its end. */
const MAX_DELAY_SECONDS = 5
/** Requests that wait at each proxy at the same time. */
const WAITING = 20

type Proxy = Awaited<ReturnType<typeof startDeployedCaddy | typeof startDeployedNginx>>

const folder = temporaryFolder()
let server: RunningServer
let workspaceId: string
let headers: Record<string, string>
let proxies: Readonly<Record<string, Proxy>>

beforeAll(async () => {
  const env = { REEVE_TRUSTED_PROXIES: '127.0.0.1' }
  const { out } = await runReeve([...INIT_ARGS, '--json'], { dataDir: folder.data, env, stdin: PASSWORD })
  const created = JSON.parse(out)
  workspaceId = created.workspaceId
  headers = { authorization: `Bearer ${created.apiKey}`, 'content-type': 'application/json' }
  server = await startServer({ dataDir: folder.data, env })
  const port = Number(new URL(server.url).port)
  // The examples have a second process, which does not run here.
  const [unused = 0] = freePorts(1)
  proxies = {
    nginx: await startDeployedNginx({ upstreams: [port, unused] }),
    Caddy: await startDeployedCaddy([port]),
  }
}, 60_000)
afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.close()
  await server.stop()
  folder.remove()
})

const get = async ({ fetchPath }: Proxy, path: string, query: Record<string, string> = {}) => {
  const response = await fetchPath(`/api/${path}?${new URLSearchParams({ workspaceId, ...query })}`, {
    headers,
  })
  expect(response.status).toBe(200)
  // The tests assert values instead of types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return (await response.json()) as any
}

/** Sends requests that wait through every proxy at once. @returns the bodies by proxy, and how long each took, in seconds */
function waitForChanges(position: Record<string, string>) {
  const waitOnce = async (proxy: Proxy) => {
    const startedAt = performance.now()
    const body = await get(proxy, 'changes', { ...position, wait: String(WAIT_SECONDS) })
    return { body, seconds: (performance.now() - startedAt) / 1000 }
  }
  return Promise.all(
    Object.entries(proxies).flatMap(([name, proxy]) =>
      Array.from({ length: WAITING }, async () => ({ name, ...(await waitOnce(proxy)) })),
    ),
  )
}

const readPosition = async (proxy: Proxy) => {
  const { sequence, epoch } = await get(proxy, 'changes/snapshot')
  return { since: sequence, epoch }
}

test('nginx and Caddy pass on the response to a wait of the full length, and a change as soon as it happens', async () => {
  const [proxy] = Object.values(proxies) as [Proxy]
  const position = await readPosition(proxy)
  for (const { name, body, seconds } of await waitForChanges(position)) {
    expect([name, body.changes, body.next]).toEqual([name, [], position.since])
    expect(seconds, name).toBeGreaterThanOrEqual(WAIT_SECONDS - 0.1)
    expect(seconds, name).toBeLessThan(ROBLOX_TIMEOUT_SECONDS)
  }
  const waiting = waitForChanges(position)
  const body = JSON.stringify({ workspaceId, action: 'ban', userId: '261', reason: 'Exploiting' })
  const startedAt = performance.now()
  expect((await proxy.fetchPath('/api/moderation', { method: 'POST', headers, body })).status).toBe(200)
  for (const { name, body: changed } of await waiting)
    expect([name, changed.changes]).toMatchObject([name, [{ op: 'set', userId: '261' }]])
  expect((performance.now() - startedAt) / 1000).toBeLessThan(MAX_DELAY_SECONDS)
}, 60_000)
