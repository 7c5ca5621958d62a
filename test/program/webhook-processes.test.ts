import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, dropDatabase, queryServer } from '@reeve/db/test-cluster'
import { postWithKey } from '../support/post-with-key.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { OUTBOUND_TO_TESTS, type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

/** Two servers over PostgreSQL, on a busy machine. */
setDefaultTimeout(120_000)

/** How often each process looks for changes that no notification has announced. */
const POLL_MS = 15_000

const folder = temporaryFolder()
let databaseUrl: string
let credentials: { workspaceId: string; apiKey: string }
let servers: RunningServer[]
let receiver: Receiver

const start = () =>
  startServer({
    dataDir: folder.data,
    env: { ...OUTBOUND_TO_TESTS, REEVE_KEY_RATE_PER_MINUTE: '0', REEVE_DATABASE_URL: databaseUrl },
  })

beforeAll(async () => {
  databaseUrl = await createDatabase('template1')
  const created = await runReeve([...INIT_ARGS, '--json'], {
    dataDir: folder.data,
    env: { REEVE_DATABASE_URL: databaseUrl },
    stdin: 'a long enough secret\n',
  })
  credentials = parseJsonOutput(created)
  servers = await Promise.all([start(), start()])
  receiver = startReceiver()
  await send(0, 'webhooks', { name: 'Bot', url: receiver.url, events: 'ban.created' })
})
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.stop()))
  receiver?.stop()
  await dropDatabase(databaseUrl)
  folder.remove()
})

const send = (index: number, path: string, body: object) =>
  postWithKey((servers[index] as RunningServer).url, credentials, path, body)

const ban = async (index: number, userId: string): Promise<string> =>
  (await send(index, 'moderation', { action: 'ban', userId, reason: 'Exploiting' })).record.id

/** The records whose events were received since, in any order. */
const listRecords = (since: number): string[] =>
  receiver.received.slice(since).map(({ body }) => body.data.record.id as string)

/** Waits until the events of these records were received since, among others: what a killed process has sent may be sent again. */
async function waitForRecords(since: number, ids: readonly string[]): Promise<void> {
  const isComplete = () => ids.every((id) => listRecords(since).includes(id))
  for (let count = since + ids.length; !isComplete(); count++) await receiver.waitFor(count)
}

test('events of both processes are delivered once each, to a webhook that was created on one of them', async () => {
  const bans = Array.from({ length: 60 }, (_, index) => ban(index % 2, `player${index}`))
  const ids = await Promise.all(bans)
  await receiver.waitFor(ids.length)
  // What would follow a duplicate.
  const last = [await ban(0, 'last0'), await ban(1, 'last1')]
  await receiver.waitFor(ids.length + last.length)
  expect(listRecords(0).sort()).toEqual([...ids, ...last].sort())
  const rows = await queryServer(
    databaseUrl,
    'select count(*)::int, max(attempt)::int as attempts from delivery',
  )
  expect(rows).toEqual([{ count: ids.length + last.length, attempts: 1 }])
})

test('a change is delivered at once, whichever process has made it', async () => {
  const times: number[] = []
  for (let round = 0; round < 6; round++) {
    const count = receiver.received.length
    const startedAt = performance.now()
    await ban(round % 2, `round${round}`)
    await receiver.waitFor(count + 1)
    times.push(performance.now() - startedAt)
  }
  // Other work may delay single rounds, but without being woken nearly every round would take the whole interval.
  expect(Math.min(...times)).toBeLessThan(1000)
  expect(times.reduce((sum, time) => sum + time)).toBeLessThan(POLL_MS)
})

test.each([0, 1])('while process %i is dead, the other one delivers', async (dead) => {
  const server = servers[dead] as RunningServer
  server.signal('SIGKILL')
  await server.exited
  const before = receiver.received.length
  const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => ban(1 - dead, `${dead}${index}`)))
  await waitForRecords(before, ids)
  servers[dead] = await start()
})

/** Longer than the lease of an attempt. */
const LEASE_END_MS = 61_000

test('every event of an acknowledged change arrives although all processes are killed in the middle of deliveries, and none is invented', async () => {
  const before = receiver.received.length
  receiver.respondWith(() => new Promise<Response>(() => {}))
  const acknowledged: string[] = []
  const bans = Array.from({ length: 40 }, (_, index) =>
    ban(index % 2, `killed${index}`).then(
      (id) => acknowledged.push(id),
      () => {},
    ),
  )
  await receiver.waitFor(before + 1)
  for (const server of servers) server.signal('SIGKILL')
  await Promise.all([...servers.map(({ exited }) => exited), ...bans])
  const leased = await queryServer<{ count: number }>(
    databaseUrl,
    'select count(*)::int from delivery where leased_until is not null',
  )
  expect(leased[0]?.count).toBeGreaterThan(0)
  // As if that time had passed since.
  await queryServer(
    databaseUrl,
    `with ended as (
       update delivery set due_at = due_at - ${LEASE_END_MS}, leased_until = leased_until - ${LEASE_END_MS}
       where leased_until is not null
     ) update webhook set next_due_at = next_due_at - ${LEASE_END_MS} where next_due_at is not null`,
  )
  receiver.respondWith(() => new Response('ok'))
  servers = await Promise.all([start(), start()])
  const expected = [...acknowledged, await ban(0, 'after0'), await ban(1, 'after1')]
  await waitForRecords(before, expected)
  const stored = await queryServer<{ id: string }>(databaseUrl, 'select id::text from record')
  const storedIds = new Set(stored.map(({ id }) => id))
  expect(listRecords(before).filter((id) => !storedIds.has(id))).toEqual([])
})
