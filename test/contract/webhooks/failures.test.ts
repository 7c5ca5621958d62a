import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@reeve/core'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>
let receiver: Receiver

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
afterAll(() => instance.close())
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

/** A workspace with a webhook, and one event for it, which is delivered once. */
async function openFailing(respond: Parameters<typeof startReceiver>[0], { sendAllDue } = deliveries) {
  receiver = startReceiver(respond)
  const workspace = await instance.workspace()
  const caller = createWebhookCaller(instance, workspace)
  const { webhook } = await caller.create(receiver.url, 'ban.created')
  const ban = (userId: string) => caller.moderate({ action: 'ban', userId, reason: 'Exploiting' })
  await ban('261')
  await sendAllDue()
  return {
    ...caller,
    id: webhook.id as string,
    ban,
    readWebhook: () => caller.read(webhook.id),
    /** The newest delivery with its response. */
    async readDelivery() {
      const [newest] = await caller.deliveries(webhook.id)
      return (await caller.call('GET', 'webhooks/deliveries', { id: newest.id })).delivery
    },
  }
}

const fail =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response('sorry', { status, headers })

describe('a delivery that fails', () => {
  test('is retried with the same message ID until it succeeds, and its response is kept', async () => {
    const { readDelivery, readWebhook } = await openFailing(fail(500))
    expect(await readDelivery()).toMatchObject({
      state: 'pending',
      attempts: '1',
      lastStatus: '500',
      lastError: 'The receiver returned 500.',
      response: 'sorry',
    })
    expect(await readWebhook()).toMatchObject({ state: 'active', failures: '1', lastStatus: '500' })
    await deliveries.sendAllDue()
    expect(receiver.received).toHaveLength(1)
    receiver.respondWith(() => new Response('thanks'))
    instance.clock.advance(6000)
    await deliveries.sendAllDue()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text as string)
    expect(await readDelivery()).toMatchObject({ state: 'delivered', attempts: '2', response: 'thanks' })
    expect(await readWebhook()).toMatchObject({ failures: '0', failingSince: null, lastError: null })
  })

  test.each([
    ['redirects', () => Response.redirect('http://127.0.0.1:1/', 307), 'redirects are not followed', {}],
    [
      'does not respond',
      () => new Promise<Response>(() => {}),
      'no response within 15 seconds',
      { timeoutMs: 500 },
    ],
  ] as const)('is retried if the receiver %s', async (_, respond, error, sending) => {
    const { readDelivery } = await openFailing(respond, openDeliveries(instance, sending))
    const delivery = await readDelivery()
    expect([delivery.state, delivery.attempts]).toEqual(['pending', '1'])
    expect(delivery.lastError).toContain(error)
  })

  test('keeps the first 4 KiB of its response, without a part of a character', async () => {
    const { readDelivery } = await openFailing(() => new Response(`x${'é'.repeat(3000)}`, { status: 500 }))
    expect((await readDelivery()).response).toBe(`x${'é'.repeat(2047)}`)
  })

  test('ends after ten attempts, and can be sent again alone or with all others since a time', async () => {
    const { readDelivery, call, id, readWebhook } = await openFailing(fail(502))
    for (let attempt = 1; attempt < 10; attempt++) {
      instance.clock.advance(30 * HOUR_MS)
      // The webhook would be disabled after five days.
      if ((await readWebhook()).state === 'disabled')
        await call('PATCH', 'webhooks', { id, action: 'resume' })
      await deliveries.sendAllDue()
    }
    expect(await readDelivery()).toMatchObject({ state: 'failed', attempts: '10', nextAttemptAt: null })
    if ((await readWebhook()).state === 'disabled') await call('PATCH', 'webhooks', { id, action: 'resume' })
    receiver.respondWith(() => new Response('ok'))
    const { createdAt, id: deliveryId } = await readDelivery()
    expect(await call('POST', 'webhooks/resend', { id, since: createdAt })).toEqual({
      resent: '1',
      hasMore: 'false',
    })
    await deliveries.sendAllDue()
    expect(await readDelivery()).toMatchObject({ state: 'delivered', attempts: '1' })
    await call('POST', 'webhooks/resend', { id, deliveryId })
    await deliveries.sendAllDue()
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(deliveryId)
    expect(receiver.received).toHaveLength(12)
  })

  test.each([429, 503, 500, 404])(
    'with the status %i and Retry-After is not retried sooner, and neither is anything else',
    async (status) => {
      const { ban } = await openFailing(fail(status, { 'retry-after': '600' }))
      receiver.respondWith(() => new Response('ok'))
      await ban('156')
      instance.clock.advance(9 * MINUTE_MS)
      await deliveries.sendAllDue()
      expect(receiver.received).toHaveLength(1)
      instance.clock.advance(MINUTE_MS + 1000)
      await deliveries.sendAllDue()
      expect(receiver.received).toHaveLength(3)
    },
  )
})

describe('a webhook is disabled', () => {
  test('at once if its receiver returns 410', async () => {
    const { readWebhook, readDelivery } = await openFailing(fail(410))
    expect(await readWebhook()).toMatchObject({ state: 'disabled', stateReason: 'gone' })
    expect(await readDelivery()).toMatchObject({ state: 'failed', attempts: '1' })
  })

  test('after five days of failures, and resumes with what has waited', async () => {
    const { readWebhook, ban, call, id } = await openFailing(fail(500))
    for (let day = 1; day <= 4; day++) {
      instance.clock.advance(DAY_MS)
      await deliveries.sendAllDue()
    }
    instance.clock.advance(DAY_MS - HOUR_MS)
    await deliveries.sendAllDue()
    expect(await readWebhook()).toMatchObject({ state: 'active', failures: '6' })
    await ban('2')
    instance.clock.advance(2 * HOUR_MS)
    await deliveries.sendAllDue()
    expect(await readWebhook()).toMatchObject({ state: 'disabled', stateReason: 'failing' })
    const attempts = receiver.received.length
    await ban('3')
    instance.clock.advance(DAY_MS)
    await deliveries.sendAllDue()
    expect(receiver.received).toHaveLength(attempts)
    receiver.respondWith(() => new Response('ok'))
    await call('PATCH', 'webhooks', { id, action: 'resume' })
    expect(await readWebhook()).toMatchObject({ state: 'active', stateReason: null, failures: '0' })
    await deliveries.sendAllDue()
    const players = receiver.received.slice(attempts).map(({ body }) => body.data.record.userId)
    // The last ban happened while it was disabled.
    expect(players.sort()).toEqual(['2', '261'])
  })

  /** Makes every attempt of a delivery fail. */
  const failForGood = async ({ readDelivery }: Awaited<ReturnType<typeof openFailing>>) => {
    receiver.respondWith(fail(503))
    for (let next = instance.clock.now(); Number.isFinite(next); ) {
      instance.clock.advance(next - instance.clock.now())
      await deliveries.sendAllDue()
      next = Date.parse((await readDelivery()).nextAttemptAt)
    }
  }
  const failTest = async ({ call, id }: Awaited<ReturnType<typeof openFailing>>) => {
    receiver.respondWith(fail(503))
    await call('POST', 'webhooks/test', { id })
    await deliveries.sendAllDue()
  }

  test.each([
    ['a test that failed', [failTest]],
    ['a delivery that failed for good', [failForGood]],
    ['both', [failForGood, failTest]],
  ])('not by one failure after days without events, even if %s was before them', async (_, before) => {
    const webhook = await openFailing(() => new Response('ok'))
    if (before.includes(failForGood)) await webhook.ban('2')
    for (const step of before) await step(webhook)
    instance.clock.advance(6 * DAY_MS)
    receiver.respondWith(fail(503))
    if (before.includes(failTest)) await failTest(webhook)
    await webhook.ban('3')
    const sendUntilPausesEnd = async () => {
      await deliveries.sendAllDue()
      instance.clock.advance(10 * MINUTE_MS)
      await deliveries.sendAllDue()
    }
    await sendUntilPausesEnd()
    const { state, failingSince } = await webhook.readWebhook()
    expect([state, instance.clock.now() - Date.parse(failingSince) <= 10 * MINUTE_MS]).toEqual([
      'active',
      true,
    ])
    receiver.respondWith(() => new Response('ok'))
    await webhook.ban('4')
    await sendUntilPausesEnd()
    const players = receiver.received.slice(-2).map(({ body }) => body.data.record.userId)
    expect(players.sort()).toEqual(['3', '4'])
  })
})

test('a test event is sent once, also to a paused webhook, and shows the response', async () => {
  const { call, id, readDelivery } = await openFailing(() => new Response('ok'))
  await call('PATCH', 'webhooks', { id, action: 'pause' })
  receiver.respondWith(fail(400))
  await call('POST', 'webhooks/test', { id })
  await deliveries.sendAllDue()
  expect(receiver.types()).toEqual(['ban.created', 'webhook.test'])
  expect(await readDelivery()).toMatchObject({
    type: 'webhook.test',
    state: 'failed',
    lastStatus: '400',
    response: 'sorry',
  })
})

test.each(['paused', 'held'])(
  'all test events to a %s webhook are sent, although more wait than are sent at once',
  async (state) => {
    const { call, id } = await openFailing(state === 'held' ? fail(503, { 'retry-after': '900' }) : fail(400))
    if (state === 'paused') await call('PATCH', 'webhooks', { id, action: 'pause' })
    receiver.respondWith(() => new Response('ok'))
    for (let count = 0; count < 6; count += 1) await call('POST', 'webhooks/test', { id })
    await deliveries.sendAllDue()
    expect(receiver.types()).toEqual(['ban.created', ...Array(6).fill('webhook.test')])
  },
)

test('a webhook that fails gets no more than four requests at once, and delays no other one', async () => {
  const hanging = Promise.withResolvers<void>()
  const failing = await openFailing(() => new Response('ok'))
  const slowReceiver = receiver
  slowReceiver.respondWith(async () => {
    await hanging.promise
    return new Response('ok')
  })
  for (let userId = 1; userId <= 8; userId++) await failing.ban(String(userId))
  const slow = deliveries.sendAllDue()
  await slowReceiver.waitFor(5)
  expect(slowReceiver.received).toHaveLength(5)
  const live = await openFailing(() => new Response('ok'))
  expect(await live.readDelivery()).toMatchObject({ state: 'delivered' })
  hanging.resolve()
  await slow
  slowReceiver.stop()
})
