import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR_MS, MINUTE_MS } from '@reeve/core'
import { waitForNextTurn } from '@reeve/db'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { startDiscord } from '../../support/discord-webhooks.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let receiver: Receiver
let discord: ReturnType<typeof startDiscord>
let deliveries: ReturnType<typeof openDeliveries>

beforeAll(async () => {
  instance = await openInstance()
  discord = startDiscord()
  deliveries = openDeliveries(instance, { discordOrigin: discord.origin })
})
beforeEach(() => {
  receiver = startReceiver()
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})
afterAll(async () => {
  discord.stop()
  await instance.close()
})

const ok = () => new Response('ok')
const fail = (status: number, retryAfter?: string) => () =>
  new Response('sorry', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

async function openWebhook(url = receiver.url) {
  const caller = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await caller.create(url, 'ban.created')
  return {
    ...caller,
    id: webhook.id as string,
    ban: (userId: string) => caller.moderate({ action: 'ban', userId, reason: 'Exploiting' }),
    async sendTest() {
      await caller.call('POST', 'webhooks/test', { id: webhook.id })
      await deliveries.sendAllDue()
    },
    /** In how many milliseconds each next attempt follows. */
    async listNextAttempts() {
      const listed: { nextAttemptAt: string | null }[] = await caller.deliveries(webhook.id)
      const times = listed.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
      return times.map((time) => Date.parse(time) - instance.clock.now())
    },
    /** In how many milliseconds its pause ends; null if there is none. */
    async readPause() {
      const { holdUntil } = await caller.read(webhook.id)
      return holdUntil === null ? null : Date.parse(holdUntil) - instance.clock.now()
    },
  }
}

const listBans = () =>
  receiver.received
    .filter(({ body }) => body.type === 'ban.created')
    .map(({ body }) => body.data.record.userId)
    .sort()

describe('a pause that a receiver has asked for', () => {
  test('is kept although another request ends later with success', async () => {
    const { ban, readPause } = await openWebhook()
    for (const userId of ['1', '2']) await ban(userId)
    receiver.respondWith(async (_, count) => {
      if (count === 1) return fail(429, '600')()
      while ((await readPause()) === null) await waitForNextTurn()
      return ok()
    })
    await deliveries.sendAllDue()
    expect(receiver.received).toHaveLength(2)
    expect(await readPause()).toBe(10 * MINUTE_MS)
    receiver.respondWith(ok)
    await ban('3')
    await deliveries.sendAllDue()
    expect(receiver.received).toHaveLength(2)
    instance.clock.advance(10 * MINUTE_MS)
    await deliveries.sendAllDue()
    expect(listBans()).toHaveLength(4)
  })

  test.each([
    ['succeeds', ok],
    ['fails', fail(500)],
    ['is to be repeated sooner', fail(503, '60')],
  ] as const)('is kept although a test %s', async (_, respond) => {
    const { ban, readPause, sendTest, listNextAttempts } = await openWebhook()
    receiver.respondWith(fail(429, '3600'))
    await ban('1')
    await deliveries.sendAllDue()
    receiver.respondWith(respond)
    await sendTest()
    expect(await readPause()).toBe(HOUR_MS)
    receiver.respondWith(ok)
    await ban('2')
    await deliveries.sendAllDue()
    expect(await listNextAttempts()).toEqual([HOUR_MS, HOUR_MS])
    instance.clock.advance(HOUR_MS - 1)
    await deliveries.sendAllDue()
    expect(listBans()).toEqual(['1'])
    instance.clock.advance(1)
    await deliveries.sendAllDue()
    expect(listBans()).toEqual(['1', '1', '2'])
  })

  test('is kept by Discord too', async () => {
    const { ban, sendTest, readPause } = await openWebhook(discord.url)
    discord.limit({ remaining: 1, resetAfterMs: MINUTE_MS })
    await ban('1')
    await deliveries.sendAllDue()
    discord.limit(null)
    instance.clock.advance(MINUTE_MS / 2)
    await sendTest()
    expect(await readPause()).toBe(MINUTE_MS / 2)
    const { requests } = discord
    await ban('2')
    await deliveries.sendAllDue()
    expect(discord.requests).toBe(requests)
    instance.clock.advance(MINUTE_MS / 2)
    await deliveries.sendAllDue()
    expect(discord.requests).toBe(requests + 1)
  })
})

test.each(['0', 'Wed, 21 Oct 2015 07:28:00 GMT'])(
  'a receiver that keeps failing with Retry-After: %s gets one request at a time with pauses, like any other',
  async (retryAfter) => {
    const { ban, readPause } = await openWebhook()
    receiver.respondWith(fail(503, retryAfter))
    for (let count = 1; count <= 8; count++) {
      await ban(String(count))
      await deliveries.sendAllDue()
    }
    expect(receiver.received).toHaveLength(5)
    expect(await readPause()).toBe(5000)
  },
)

describe('sending a delivery again', () => {
  test('ends the pause of its receiver, so that it and what else waits is sent at once', async () => {
    const { ban, readPause, call, id, deliveries: list } = await openWebhook()
    receiver.respondWith(fail(503, '86400'))
    await ban('1')
    await deliveries.sendAllDue()
    receiver.respondWith(ok)
    await ban('2')
    instance.clock.advance(MINUTE_MS)
    await deliveries.sendAllDue()
    expect(listBans()).toEqual(['1'])
    const [{ id: deliveryId }] = await list(id)
    expect(await call('POST', 'webhooks/resend', { id, deliveryId })).toMatchObject({ resent: '1' })
    expect(await readPause()).toBeNull()
    await deliveries.sendAllDue()
    expect(listBans()).toEqual(['1', '1', '2'])
  })

  test('keeps to the rate limit of Discord, and says when it follows', async () => {
    const { ban, call, id, deliveries: list, listNextAttempts } = await openWebhook(discord.url)
    discord.limit({ remaining: 1, resetAfterMs: MINUTE_MS })
    await ban('1')
    await deliveries.sendAllDue()
    discord.limit(null)
    const { requests } = discord
    const [{ id: deliveryId }] = await list(id)
    await call('POST', 'webhooks/resend', { id, deliveryId })
    await deliveries.sendAllDue()
    expect([discord.requests, await listNextAttempts()]).toEqual([requests, [MINUTE_MS]])
    instance.clock.advance(MINUTE_MS)
    await deliveries.sendAllDue()
    expect(discord.requests).toBe(requests + 1)
  })
})
