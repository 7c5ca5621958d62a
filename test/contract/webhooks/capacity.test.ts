import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

/** How many requests a process sends at once, and how many of them to webhooks that keep failing. */
const MAX_IN_FLIGHT = 32
const MAX_TO_FAILING = 16
/** As many as a workspace can have. */
const WEBHOOKS = 20
/** After so many failures in a row, a webhook gets one request at a time. */
const FAILURES = 5

let instance: Instance
let receiver: Receiver
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

/** A receiver that responds once it is released, and counts the requests that it has at once. */
function startHoldingReceiver() {
  const released = Promise.withResolvers<void>()
  let [current, most] = [0, 0]
  receiver = startReceiver()
  const hold = async () => {
    current += 1
    most = Math.max(most, current)
    await released.promise
    current -= 1
    return new Response('ok')
  }
  return { hold, release: released.resolve, countMost: () => most }
}

async function openWorkspace(webhooks: number, url: string) {
  const caller = createWebhookCaller(instance, await instance.workspace())
  for (let count = 0; count < webhooks; count++) await caller.create(url, 'ban.created')
  const ban = (userId: string) => caller.moderate({ action: 'ban', userId, reason: 'Exploiting' })
  return { ...caller, ban }
}

/** How many deliveries a process is sending, as all processes see it. */
async function countLeased(): Promise<number> {
  const sql = 'select cast(count(*) as integer) as count from delivery where leased_until is not null'
  return Number((await instance.storage.query<{ count: number }>(sql))[0]?.count)
}

test('a process sends 32 requests at once, and then the others', async () => {
  const { hold, release, countMost } = startHoldingReceiver()
  receiver.respondWith(hold)
  const { ban } = await openWorkspace(WEBHOOKS, receiver.url)
  for (const userId of ['1', '2', '3', '4']) await ban(userId)
  const shutdown = new AbortController()
  const running = openDeliveries(instance).run(shutdown.signal)
  await receiver.waitFor(MAX_IN_FLIGHT)
  expect(await countLeased()).toBe(MAX_IN_FLIGHT)
  release()
  await receiver.waitFor(4 * WEBHOOKS)
  expect(countMost()).toBe(MAX_IN_FLIGHT)
  shutdown.abort()
  await running
})

test('webhooks that keep failing get at most 16 requests at once, so that others have room', async () => {
  const { hold, release } = startHoldingReceiver()
  const failing = await openWorkspace(WEBHOOKS, receiver.url)
  receiver.respondWith(() => new Response('sorry', { status: 500 }))
  for (let count = 0; count < FAILURES; count++) await failing.ban(String(count))
  const { sendAllDue, run } = openDeliveries(instance)
  await sendAllDue()
  while ((await failing.call('GET', 'webhooks')).webhooks.some(isBelowLimit)) {
    instance.clock.advance(10_000)
    await sendAllDue()
  }
  const live = startReceiver()
  const other = await openWorkspace(1, live.url)
  receiver.respondWith(hold)
  receiver.received.length = 0
  // After all pauses, every delivery is due.
  instance.clock.advance(600_000)
  const shutdown = new AbortController()
  const running = run(shutdown.signal)
  await receiver.waitFor(MAX_TO_FAILING)
  const ban = await other.ban('1')
  await live.waitFor(1)
  expect(live.received[0]?.body.data.record.id).toBe(ban.id)
  expect(receiver.received).toHaveLength(MAX_TO_FAILING)
  expect(await countLeased()).toBeLessThanOrEqual(MAX_TO_FAILING + 1)
  shutdown.abort()
  release()
  await running
  live.stop()
})

const isBelowLimit = ({ failures }: { failures: string }): boolean => Number(failures) < FAILURES
