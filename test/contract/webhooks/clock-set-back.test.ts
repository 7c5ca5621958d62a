import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@reeve/core'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

const AHEAD_MS = 25 * DAY_MS

let instance: Instance
let receiver: Receiver
let deliveries: ReturnType<typeof openDeliveries>

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
beforeEach(() => {
  receiver = startReceiver()
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})
afterAll(() => instance.close())

async function openWorkspace() {
  const caller = createWebhookCaller(instance, await instance.workspace())
  return {
    ...caller,
    createWebhook: async (url: string): Promise<string> =>
      (await caller.create(url, 'ban.created,ban.ended')).webhook.id,
    change: (id: string, action: 'pause' | 'resume') => caller.call('POST', 'webhooks', { id, action }),
    ban: (userId: string, durationMs: number) =>
      caller.moderate({
        ...{ action: 'ban', userId, reason: 'Exploiting' },
        durationSeconds: String(durationMs / 1000),
      }),
  }
}

async function openWebhook() {
  const workspace = await openWorkspace()
  return { ...workspace, id: await workspace.createWebhook(receiver.url) }
}

const moveClock = async (ms: number) => {
  instance.clock.advance(ms)
  await deliveries.sendAllDue()
}

/** What was sent since the last call, in the order of the players. */
const take = ({ received } = receiver) =>
  received
    .splice(0)
    .map(({ body }): string[] => [body.data.record.userId, body.type])
    .sort()

describe('after the clock was ahead and was set back', () => {
  test('the expiry of each ban is sent once', async () => {
    const { ban } = await openWebhook()
    await ban('1', 10 * DAY_MS)
    await ban('2', 30 * DAY_MS)
    await moveClock(AHEAD_MS)
    expect(take()).toEqual([
      ['1', 'ban.created'],
      ['1', 'ban.ended'],
      ['2', 'ban.created'],
    ])
    await moveClock(-AHEAD_MS)
    await ban('3', HOUR_MS)
    await moveClock(2 * HOUR_MS)
    expect(take()).toEqual([
      ['3', 'ban.created'],
      ['3', 'ban.ended'],
    ])
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([])
    await moveClock(30 * DAY_MS)
    expect(take()).toEqual([['2', 'ban.ended']])
  })

  test('the expiry of a ban that was extended since is sent, although that of before was', async () => {
    const { ban, moderate } = await openWebhook()
    const { id } = await ban('1', 10 * DAY_MS)
    await moveClock(AHEAD_MS)
    await moveClock(-AHEAD_MS)
    await moderate({ action: 'extend', id, value: '3600' })
    await deliveries.sendAllDue()
    take()
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([['1', 'ban.ended']])
  })

  test('a webhook whose receiver had asked for a pause gets what waits for it at once, and what is new', async () => {
    const { ban, id, read } = await openWebhook()
    await moveClock(AHEAD_MS)
    receiver.respondWith(
      () =>
        new Response('later', { status: 429, headers: { 'retry-after': String((10 * MINUTE_MS) / 1000) } }),
    )
    await ban('1', 100 * DAY_MS)
    await deliveries.sendAllDue()
    expect(take()).toEqual([['1', 'ban.created']])
    receiver.respondWith(() => new Response('ok'))
    await moveClock(-AHEAD_MS)
    expect(take()).toEqual([['1', 'ban.created']])
    expect((await read(id)).holdUntil).toBeNull()
    await ban('2', 100 * DAY_MS)
    await deliveries.sendAllDue()
    expect(take()).toEqual([['2', 'ban.created']])
  })

  test('a webhook that was created meanwhile gets the expiry of bans that had expired before', async () => {
    const { ban, createWebhook } = await openWorkspace()
    await ban('1', 10 * DAY_MS)
    await moveClock(AHEAD_MS)
    await createWebhook(receiver.url)
    await deliveries.sendAllDue()
    await moveClock(-AHEAD_MS)
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([['1', 'ban.ended']])
  })

  test('a webhook that was resumed meanwhile gets the expiry of bans that had expired before', async () => {
    const { ban, change, id } = await openWebhook()
    await ban('1', 10 * DAY_MS)
    await deliveries.sendAllDue()
    await change(id, 'pause')
    await moveClock(AHEAD_MS)
    await change(id, 'resume')
    await deliveries.sendAllDue()
    await moveClock(-AHEAD_MS)
    take()
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([['1', 'ban.ended']])
  })

  test('a webhook that is added after that gets an expiry that only the others were sent too early', async () => {
    const { ban, createWebhook } = await openWebhook()
    await ban('1', 10 * DAY_MS)
    const added = [startReceiver(), startReceiver()] as const
    await moveClock(AHEAD_MS)
    await createWebhook(added[0].url)
    await deliveries.sendAllDue()
    await moveClock(-AHEAD_MS)
    await createWebhook(added[1].url)
    take()
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([])
    for (const one of added) {
      expect(take(one)).toEqual([['1', 'ban.ended']])
      one.stop()
    }
  })

  test('a webhook that is resumed after that gets what waits for it at once, and later expiries', async () => {
    const { ban, change, id } = await openWebhook()
    await ban('1', 10 * DAY_MS)
    await moveClock(AHEAD_MS)
    take()
    receiver.respondWith(() => new Response('down', { status: 500 }))
    await ban('2', 100 * DAY_MS)
    await deliveries.sendAllDue()
    take()
    await change(id, 'pause')
    receiver.respondWith(() => new Response('ok'))
    await moveClock(-AHEAD_MS)
    await ban('3', 10 * DAY_MS)
    await change(id, 'resume')
    await deliveries.sendAllDue()
    expect(take()).toEqual([['2', 'ban.created']])
    await moveClock(11 * DAY_MS)
    expect(take()).toEqual([
      ['1', 'ban.ended'],
      ['3', 'ban.ended'],
    ])
  })
})
