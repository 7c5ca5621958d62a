import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Database } from '@reeve/db'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

/** A signal that counts who still listens to it. */
function createCountedSignal() {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners += 1
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners -= 1
    removeEventListener.apply(signal, args)
  }
  return { signal, abort: () => controller.abort(), countListeners: () => listeners }
}

test('a process that has delivered many events holds on to nothing of them', async () => {
  const EVENTS = 50
  const receiver = startReceiver()
  const { create, moderate } = createWebhookCaller(instance, await instance.workspace())
  await create(receiver.url, 'ban.created')
  const { signal, abort, countListeners } = createCountedSignal()
  const running = openDeliveries(instance).run(signal)
  for (let event = 1; event <= EVENTS; event++) {
    await moderate({ action: 'ban', userId: String(event), reason: 'Exploiting' })
    await receiver.waitFor(event)
  }
  expect(countListeners()).toBeLessThan(5)
  abort()
  await running
  receiver.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

test('a process that is shut down at the end of a round does not wait for the next one', async () => {
  const { create } = createWebhookCaller(instance, await instance.workspace())
  await create('http://127.0.0.1:1/', 'ban.created')
  const shutdown = new AbortController()
  const { db } = instance
  let rounds = 0
  const first: Database['read']['first'] = (statement, params) => {
    // When something is due next, which is the last thing that it reads in a round. The workspaces that it finds at first begin another one.
    if (!('workspaceId' in (params as object)) && ++rounds === 2) shutdown.abort()
    return db.read.first(statement, params)
  }
  await openDeliveries({ ...instance, db: { ...db, read: { ...db.read, first } } }).run(shutdown.signal)
  expect(rounds).toBe(2)
  expect(instance.unexpectedErrors).toEqual([])
}, 10_000)
