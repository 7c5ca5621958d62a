import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MINUTE_MS } from '@reeve/core'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

/** How long an attempt belongs to the process that has started it. */
const LEASE_MS = MINUTE_MS

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('what a process was sending that no longer reports is sent by another one once the lease ends, not sooner, and its late result changes nothing', async () => {
  const stuck = Promise.withResolvers<void>()
  const receiver = startReceiver(async () => {
    await stuck.promise
    return new Response('too late', { status: 500 })
  })
  const { create, moderate, deliveries: list } = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await create(receiver.url, 'ban.created')
  const ids: string[] = []
  for (const userId of ['1', '2'])
    ids.push((await moderate({ action: 'ban', userId, reason: 'Exploiting' })).id)
  const silent = openDeliveries(instance, { timeoutMs: 10 * MINUTE_MS }).sendAllDue()
  await receiver.waitFor(2)
  receiver.respondWith(() => new Response('ok'))
  const { sendAllDue } = openDeliveries(instance)
  await sendAllDue()
  instance.clock.advance(LEASE_MS - 1)
  await sendAllDue()
  expect(receiver.received).toHaveLength(2)
  instance.clock.advance(1)
  await sendAllDue()
  expect(receiver.received).toHaveLength(4)
  const listIds = (from: number) =>
    receiver.received
      .slice(from, from + 2)
      .map(({ headers, body }) => [headers['webhook-id'], body.data.record.id])
      .sort()
  expect(listIds(2)).toEqual(listIds(0))
  expect(
    listIds(2)
      .map(([, id]) => id as string)
      .sort(),
  ).toEqual(ids.sort())
  stuck.resolve()
  await silent
  const delivered = { state: 'delivered', attempts: '2', lastStatus: '200' }
  expect(await list(webhook.id)).toEqual([
    expect.objectContaining(delivered),
    expect.objectContaining(delivered),
  ])
  await sendAllDue()
  expect(receiver.received).toHaveLength(4)
  expect(instance.unexpectedErrors).toEqual([])
  receiver.stop()
})
