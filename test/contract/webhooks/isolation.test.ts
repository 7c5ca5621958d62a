import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWebhookCaller, openDeliveries } from '../../support/deliveries.ts'
import { type Instance, openInstance } from '../../support/instance.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const PENDING = 1000
const LIVE = 20

let instance: Instance
beforeAll(async () => {
  instance = await openInstance()
})
afterAll(() => instance.close())

test('1,000 deliveries that wait for a receiver that hangs delay no other receiver, of any workspace', async () => {
  const released = Promise.withResolvers<void>()
  const dead = startReceiver(() => released.promise.then(() => new Response('ok')))
  const live = startReceiver()
  const workspace = createWebhookCaller(instance, await instance.workspace())
  const other = createWebhookCaller(instance, await instance.workspace())
  const { webhook } = await workspace.create(dead.url, 'record.created')
  await workspace.create(live.url, 'ban.created')
  await other.create(live.url, 'ban.created')
  const moderate = (caller: typeof workspace, action: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        caller.moderate({ action, userId: String(index + 1), reason: 'Exploiting' }),
      ),
    )
  await moderate(workspace, 'note', PENDING)
  const shutdown = new AbortController()
  const running = openDeliveries(instance).run(shutdown.signal)
  await dead.waitFor(1)
  const bans = [...(await moderate(workspace, 'ban', LIVE)), ...(await moderate(other, 'ban', LIVE))]
  await live.waitFor(bans.length)
  expect(live.received.map(({ body }) => body.data.record.id).sort()).toEqual(bans.map(({ id }) => id).sort())
  // The others still wait, although nothing has failed.
  expect(dead.received.length).toBeLessThanOrEqual(4)
  expect(await workspace.deliveries(webhook.id)).toContainEqual(expect.objectContaining({ state: 'pending' }))
  shutdown.abort()
  released.resolve()
  await running
  expect(instance.unexpectedErrors).toEqual([])
  for (const receiver of [dead, live]) receiver.stop()
}, 120_000)
