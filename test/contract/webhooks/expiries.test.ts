import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/webhook-receiver.ts'
import { openAppeals } from '../appeals/fixture.ts'

type SentEvent = ReceivedRequest['body']

let instance: Instance
let deliveries: ReturnType<typeof openDeliveries>
let receiver: Receiver
let desk: Awaited<ReturnType<typeof openAppeals>>

beforeAll(async () => {
  instance = await openInstance()
  deliveries = openDeliveries(instance)
})
beforeEach(async () => {
  receiver = startReceiver()
  desk = await openAppeals(instance)
})
afterEach(() => {
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})
afterAll(() => instance.close())

const subscribe = (events: string) =>
  createWebhookCaller(instance, { id: desk.workspaceId, key: desk.key }).create(receiver.url, events)

/** Delivers what has happened. @returns the events that were sent, in the order in which they happened */
async function takeInOrder(): Promise<SentEvent[]> {
  await deliveries.sendAllDue()
  const events = receiver.received.splice(0).map(({ body }) => body)
  return events.sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1))
}

/** Whether a receiver applies an event after another one, by the rule of docs/integrate/webhooks.md. */
function isNewer(event: SentEvent, applied: SentEvent): boolean {
  const difference = Number(event.data.sequence) - Number(applied.data.sequence)
  return difference > 0 || (difference === 0 && event.timestamp > applied.timestamp)
}

/** The events that a receiver applies which orders them as documented, by what it keeps one place for. */
function applyEvents(
  events: readonly SentEvent[],
  selectKey: (event: SentEvent) => string,
): Map<string, SentEvent> {
  const applied = new Map<string, SentEvent>()
  for (const event of events) {
    const last = applied.get(selectKey(event))
    if (!last || isNewer(event, last)) applied.set(selectKey(event), event)
  }
  return applied
}

test('a receiver that orders the events of a ban as documented learns in any order that it has expired', async () => {
  await subscribe('ban.created,ban.ended')
  const ban = await desk.ban({ durationSeconds: 60 })
  const created = await takeInOrder()
  instance.clock.advance(5 * 60_000)
  const sent = [...created, ...(await takeInOrder())]
  expect(sent.map(({ type, data }) => [type, data.sequence, data.record.status])).toEqual([
    ['ban.created', ban.sequence, 'active'],
    ['ban.ended', ban.sequence, 'expired'],
  ])
  for (const events of [sent, sent.toReversed()])
    expect(applyEvents(events, () => 'ban').get('ban')?.type).toBe('ban.ended')
})

test('an expiry has the sequence of the last change before it, so that a later change of the record is newer', async () => {
  await subscribe('record.created,record.updated,record.ended,ban.created,ban.ended')
  const ban = await desk.ban({ durationSeconds: 60 })
  const created = await takeInOrder()
  const before = await desk.ban({ userId: '262' })
  instance.clock.advance(60_000 + 150)
  const comment = { action: 'comment', id: ban.id, value: 'He will be back' }
  await desk.act(desk.ownerSession, comment)
  const sent = [...created, ...(await takeInOrder())].filter(({ data }) => data.record.id === ban.id)
  const updated = sent.find(({ type }) => type === 'record.updated')
  expect(sent.map(({ type, data }) => [type, data.sequence]).sort()).toEqual([
    ['ban.created', ban.sequence],
    ['ban.ended', before.sequence],
    ['record.created', ban.sequence],
    ['record.ended', before.sequence],
    ['record.updated', updated?.data.sequence],
  ])
  expect(Number(updated?.data.sequence)).toBeGreaterThan(Number(before.sequence))
  for (const events of [sent, sent.toReversed()]) {
    // A copy of the record is that of the comment, and has ended too.
    const copies = applyEvents(events, ({ data }) => data.record.id)
    expect(copies.get(ban.id)?.data.record).toMatchObject({ status: 'expired', commentCount: '1' })
    // A program that orders the events of each type by themselves misses none.
    expect(applyEvents(events, ({ type }) => type).size).toBe(5)
  }
})

test('an expiry that is found without a change has the sequence of the last one that was sent', async () => {
  await subscribe('record.created,record.ended')
  await desk.ban({ durationSeconds: 60 })
  const other = await desk.ban({ userId: '262' })
  await takeInOrder()
  instance.clock.advance(60_000)
  expect((await takeInOrder()).map(({ type, data }) => [type, data.sequence])).toEqual([
    ['record.ended', other.sequence],
  ])
})
