import { afterEach, beforeEach, expect, test } from 'bun:test'
import { HOUR_MS } from '@reeve/core'
import type { Database } from '@reeve/db'
import { connectTo } from '@reeve/db/test-cluster'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { idLiteral, usePostgres } from '../../support/engine.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

/** More than a test has time for if each waits for a lock, which takes ten seconds. */
const EVENTS = 5

let instance: Instance
beforeEach(async () => {
  instance = await openInstance()
})
afterEach(async () => {
  expect(instance.unexpectedErrors).toEqual([])
  await instance.close()
})

/** A workspace with a webhook, and what bans a player in it. */
async function openWorkspace(url: string) {
  const { id, ...workspace } = await instance.workspace()
  const caller = createWebhookCaller(instance, { id, ...workspace })
  await caller.create(url, 'ban.created')
  const ban = (player: number) =>
    caller.moderate({ action: 'ban', userId: String(player), reason: 'Exploiting' })
  return { id, ban }
}

test('a workspace whose statements take long delays no event of another, and its own follow', async () => {
  const live = startReceiver()
  const [slow, other] = [await openWorkspace(live.url), await openWorkspace(live.url)]
  const slowness = Promise.withResolvers<void>()
  const { db } = instance
  const first: Database['read']['first'] = async (statement, params) => {
    if ((params as { workspaceId?: string }).workspaceId === slow.id) await slowness.promise
    return db.read.first(statement, params)
  }
  const shutdown = new AbortController()
  const { run } = openDeliveries({ ...instance, db: { ...db, read: { ...db.read, first } } })
  const running = run(shutdown.signal)
  for (let event = 1; event <= EVENTS; event += 1) {
    await slow.ban(event)
    await other.ban(event)
    await live.waitFor(event)
  }
  slowness.resolve()
  await live.waitFor(2 * EVENTS)
  expect(live.received.map(({ body }) => body.data.workspaceId)).toEqual([
    ...Array(EVENTS).fill(other.id),
    ...Array(EVENTS).fill(slow.id),
  ])
  shutdown.abort()
  await running
  live.stop()
}, 30_000)

test.skipIf(!usePostgres)(
  'a workspace in which something holds the locks of the webhooks delays no event of another, and its own and its retries follow',
  async () => {
    const live = startReceiver(() => new Response('down', { status: 500 }))
    const [slow, other] = [await openWorkspace(live.url), await openWorkspace(live.url)]
    await slow.ban(1)
    await openDeliveries(instance).sendAllDue()
    instance.clock.advance(HOUR_MS)
    live.respondWith(() => new Response('ok'))
    live.received.length = 0
    const holder = await connectTo(String(instance.storage.databaseUrl))
    await holder.query(`begin; select id from webhook where workspace_id = ${idLiteral(slow.id)} for update`)
    await slow.ban(2)
    const shutdown = new AbortController()
    const running = openDeliveries(instance).run(shutdown.signal)
    for (let event = 1; event <= EVENTS; event += 1) {
      await other.ban(event)
      await live.waitFor(event)
    }
    await holder.close()
    await live.waitFor(EVENTS + 2)
    expect(live.received.map(({ body }) => body.data.workspaceId)).toEqual([
      ...Array(EVENTS).fill(other.id),
      ...Array(2).fill(slow.id),
    ])
    shutdown.abort()
    await running
    live.stop()
  },
  30_000,
)
