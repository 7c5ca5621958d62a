import { afterEach, beforeEach, expect, test } from 'bun:test'
import { isRefused } from '../support/listening.ts'
import { METRICS_ENV, readSeries, readServerMetrics } from '../support/metrics.ts'
import { pollUntil } from '../support/poll.ts'
import { postWithKey } from '../support/post-with-key.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { INIT_ARGS, parseJsonOutput } from './commands.ts'

const env = { ...METRICS_ENV, REEVE_OUTBOUND_ALLOW: '127.0.0.0/8', REEVE_KEY_RATE_PER_MINUTE: '0' }

/** A part of the five seconds that a shutdown waits for deliveries. */
const DRAIN_PART_MS = 1000

let folder: TemporaryFolder
let dataDir: string
let workspaceId: string
let key: string
let server: RunningServer
let receiver: Receiver

// An instance for each test: the webhooks of another test would retry deliveries to its receiver.
beforeEach(async () => {
  folder = temporaryFolder()
  dataDir = folder.data
  const created = await runReeve([...INIT_ARGS, '--json'], { dataDir, stdin: 'a long enough secret\n' })
  const output = parseJsonOutput<{ workspaceId: string; apiKey: string }>(created)
  workspaceId = output.workspaceId
  key = output.apiKey
}, 60_000)
afterEach(async () => {
  await server.stop()
  receiver.stop()
  folder.remove()
}, 60_000)

const start = async () => {
  server = await startServer({ dataDir, env })
}
const run = (...args: string[]) => runReeve(args, { dataDir, env })

const request = (path: string, body: object) =>
  postWithKey(server.url, { workspaceId, apiKey: key }, path, body)

const ban = async (userId: string): Promise<string> =>
  (await request('moderation', { action: 'ban', userId, reason: 'Exploiting' })).record.id

test('every event of an acknowledged change arrives although the server is killed, and none is invented', async () => {
  receiver = startReceiver()
  await start()
  await request('webhooks', { name: 'Bot', url: receiver.url, events: 'ban.created' })
  const acknowledged: string[] = []
  for (let round = 0; round < 3; round++) {
    const wanted = receiver.received.length + 10
    const bans = Array.from({ length: 40 }, (_, index) =>
      ban(`${round}:${index}`).then(
        (id) => acknowledged.push(id),
        () => {},
      ),
    )
    // In the middle of deliveries and of bans.
    await receiver.waitFor(wanted)
    server.signal('SIGKILL')
    await Promise.all([server.exited, ...bans])
    await start()
  }
  const last = await ban('last')
  const listArrived = () => new Set(receiver.received.map(({ body }) => body.data.record.id as string))
  const isComplete = () => [...acknowledged, last].every((id) => listArrived().has(id))
  for (let count = receiver.received.length; !isComplete(); count = receiver.received.length)
    await receiver.waitFor(count + 1)
  const response = await fetch(
    `${server.url}/api/moderation?workspaceId=${workspaceId}&banHistory=true&limit=200`,
    { headers: { authorization: `Bearer ${key}` } },
  )
  const stored = new Set((await response.json()).history.map(({ id }: { id: string }) => id))
  expect([...listArrived()].filter((id) => !stored.has(id))).toEqual([])
  expect(listArrived().size).toBeGreaterThanOrEqual(acknowledged.length)
}, 120_000)

test('a shutdown waits for deliveries in progress, but not for a receiver that hangs, which gets its event later', async () => {
  receiver = startReceiver()
  const hanging = startReceiver(() => new Promise<Response>(() => {}))
  const released = Promise.withResolvers<Response>()
  receiver.respondWith(() => released.promise)
  await start()
  const create = async (name: string, { url }: Receiver) =>
    (await request('webhooks', { name, url, events: 'ban.created' })).webhook.id as string
  const ids = [await create('Slow', receiver), await create('Hanging', hanging)]
  await ban('shutdown')
  await Promise.all([receiver.waitFor(1), hanging.waitFor(1)])
  server.signal('SIGTERM')
  const signalledAt = performance.now()
  await pollUntil(() => isRefused(server.url), 'the server accepts no connections')
  released.resolve(new Response('ok'))
  expect(await server.exited).toBe(0)

  // A shutdown that does not wait interrupts its deliveries at once.
  expect(performance.now() - signalledAt).toBeGreaterThan(DRAIN_PART_MS)
  expect([receiver.countAbandoned(), hanging.countAbandoned()]).toEqual([0, 1])
  hanging.respondWith(() => new Response('ok'))
  await start()
  await hanging.waitFor(2)
  const [first, second] = hanging.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'] as string)
  expect(receiver.received).toHaveLength(1)
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${server.url}/api/${path}&workspaceId=${workspaceId}`, { headers })).json()
  }
  const [slow, interrupted] = await Promise.all(ids.map((id) => read(`webhooks?id=${id}`)))
  expect(slow.webhook.lastSuccessAt).not.toBeNull()
  // An attempt that runs into its time limit, three times as long as the shutdown waits, is a failure.
  expect(interrupted.webhook.lastFailureAt).toBeNull()
  hanging.stop()
}, 120_000)

test('a ban that ends while nobody changes anything is reported within a minute, and not before its end', async () => {
  receiver = startReceiver()
  await start()
  await request('webhooks', { name: 'Bot', url: receiver.url, events: 'record.ended' })
  const fields = { action: 'ban', userId: 'short', reason: 'Exploiting', durationSeconds: '1' }
  const { record } = await request('moderation', fields)
  await receiver.waitFor(1)
  const lateMs = Date.now() - Date.parse(record.expiresAt)
  expect(receiver.received.map(({ body }) => [body.type, body.data.record.id])).toEqual([
    ['record.ended', record.id],
  ])
  expect(lateMs).toBeGreaterThanOrEqual(0)
  expect(lateMs).toBeLessThan(60_000)
}, 120_000)

test('the command line lists, tests and resends, and a restore pauses webhooks until they are resumed', async () => {
  receiver = startReceiver()
  await start()
  const { webhook } = await request('webhooks', { name: 'Log', url: receiver.url, events: 'ban.created' })
  const listed = await run('webhook', 'list', '--workspace', workspaceId)
  expect(listed.out).toContain(`${webhook.id}  Log`)
  const tested = await run('webhook', 'test', '--workspace', workspaceId, '--id', webhook.id)
  expect(tested.out).toMatch(/^Delivered: the receiver returned 200 after \d+ ms\.\nok\n$/)
  const countFailed = async () =>
    readSeries(await readServerMetrics(server.url), 'reeve_deliveries_failed_total')
  expect(await countFailed()).toBe(0)
  receiver.respondWith(() => new Response('no', { status: 500 }))
  await ban('resent')
  await receiver.waitFor(2)
  // It is counted once its response is stored, and so is each attempt after it.
  const countRejected = () => receiver.received.filter(({ body }) => body.type !== 'webhook.test').length
  await pollUntil(async () => (await countFailed()) === countRejected(), 'the failed deliveries are counted')
  const incomplete = await run('webhook', 'resend', '--workspace', workspaceId, '--id', webhook.id)
  expect([incomplete.exitCode, incomplete.err]).toEqual([
    2,
    '--delivery or --since is required, and not both.\n',
  ])
  const resent = await run(
    'webhook',
    'resend',
    '--workspace',
    workspaceId,
    '--id',
    webhook.id,
    '--since',
    '2026-01-01T00:00:00Z',
  )
  expect(resent.out).toMatch(/^\d+ deliver(y is|ies are) sent again\.\n$/)
  const failing = await run('webhook', 'test', '--workspace', workspaceId, '--id', webhook.id)
  expect([failing.exitCode, failing.out]).toEqual([1, expect.stringMatching(/^Failed: .*500/)])
  const { file } = parseJsonOutput<{ file: string }>(await run('backup', '--json'))
  await server.stop()
  const restored = await run('restore', '--from', file)
  expect(restored.exitCode, restored.err).toBe(0)
  receiver.respondWith(() => new Response('ok'))
  const before = receiver.received.length
  await start()
  const listWebhooks = async () => (await run('webhook', 'list', '--workspace', workspaceId)).out
  await pollUntil(async () => (await listWebhooks()).includes('paused: restored'), 'the webhook is paused')
  const doctor = await run('doctor')
  expect(doctor.out).toContain(`Log (${webhook.id} of workspace ${workspaceId}): restored`)
  expect(receiver.received).toHaveLength(before)
}, 120_000)

test('a shutdown does not wait for `webhook test`, which says that the event is sent later', async () => {
  receiver = startReceiver(() => new Promise<Response>(() => {}))
  await start()
  const { webhook } = await request('webhooks', { name: 'Hanging', url: receiver.url, events: 'ban.created' })
  const tested = run('webhook', 'test', '--workspace', workspaceId, '--id', webhook.id)
  await receiver.waitFor(1)
  server.signal('SIGTERM')
  expect(await tested).toEqual({
    exitCode: 0,
    out: expect.stringMatching(/^Test event \S+ is queued: a running server sends it\.\n$/),
    err: '',
  })
  expect(await server.exited).toBe(0)
}, 120_000)
