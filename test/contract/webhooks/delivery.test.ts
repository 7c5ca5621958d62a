import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
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
afterAll(async () => {
  await instance.close()
})
afterEach(() => {
  receiver?.stop()
  expect(instance.unexpectedErrors).toEqual([])
})

async function openWorkspace() {
  const workspace = await instance.workspace()
  return { ...workspace, ...createWebhookCaller(instance, workspace) }
}

describe('a webhook', () => {
  test('receives the events that it has subscribed to, signed as Standard Webhooks 1.0.0', async () => {
    receiver = startReceiver()
    const workspace = await openWorkspace()
    const { webhook, secret } = await workspace.create(receiver.url, 'ban.created,ban.ended')
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const ban = await workspace.moderate({
      action: 'ban',
      userId: '261',
      reason: 'Exploiting',
      evidence: 'seen',
    })
    await workspace.moderate({ action: 'note', userId: '261', reason: 'Not of interest' })
    await deliveries.sendAllDue()
    await workspace.moderate({ action: 'unban', userId: '261', reason: 'Appeal' })
    await deliveries.sendAllDue()
    expect(receiver.types()).toEqual(['ban.created', 'ban.ended'])
    const [created, ended] = receiver.received
    const verifier = new Webhook(secret)
    const verified = verifier.verify(created?.text ?? '', created?.headers ?? {}) as typeof created
    expect(verified).toEqual(created?.body)
    const { evidence, evidenceFiles, comments, ...summary } = ban
    expect(created?.body).toEqual({
      type: 'ban.created',
      timestamp: ban.createdAt,
      data: {
        workspaceId: workspace.id,
        sequence: ban.sequence,
        actor: { kind: 'api_key', id: ban.actorUserId, username: ban.actorUsername },
        record: {
          ...summary,
          evidenceCount: '1',
          evidenceFileCount: '0',
          commentCount: '0',
          waitsForApproval: 'false',
        },
      },
    })
    expect(ended?.body.data.record).toMatchObject({ id: ban.id, status: 'revoked', revokeReason: 'Appeal' })
    expect(
      (await workspace.deliveries(webhook.id)).map(({ state, lastStatus }: never) => [state, lastStatus]),
    ).toEqual([
      ['delivered', '200'],
      ['delivered', '200'],
    ])
  })

  test('has its own response stored, whether or not others of the event respond alike', async () => {
    receiver = startReceiver(({ path }) => {
      const [, status, text] = path.split('/')
      return new Response(text, { status: Number(status) })
    })
    const workspace = await openWorkspace()
    const paths = ['/200/same', '/202/other', '/200/same', '/500/failed', '/200/different', '/200/same']
    const webhooks = []
    for (const path of paths)
      webhooks.push((await workspace.create(receiver.origin + path, 'ban.created')).webhook)
    await workspace.moderate({ action: 'ban', userId: '4', reason: 'Exploiting' })
    await deliveries.sendAllDue()
    const stored = []
    for (const { id } of webhooks) {
      const [listed] = await workspace.deliveries(id)
      const { delivery } = await workspace.call('GET', 'webhooks/deliveries', { id: listed.id })
      expect(delivery.durationMs).toMatch(/^\d+$/)
      stored.push(`/${delivery.lastStatus}/${delivery.response}`)
    }
    expect(stored).toEqual(paths)
  })

  test('is reached at any address of its host, not only at the first', async () => {
    receiver = startReceiver()
    const resolve = async () => ['127.0.0.2', '127.0.0.1']
    const { create, moderate, read } = await openWorkspace()
    const { webhook } = await create(`http://receiver.test:${receiver.port}/hook`, 'ban.created')
    await moderate({ action: 'ban', userId: '4', reason: 'Exploiting' })
    await openDeliveries(instance, { resolve }).sendAllDue()
    expect(await read(webhook.id)).toMatchObject({ failures: '0', lastStatus: '200', lastError: null })
  })

  test('is reached at another address of its host once one does not answer, and at that one later', async () => {
    receiver = startReceiver()
    const silent = startReceiver(() => new Promise(() => {}), {
      hostname: '127.0.0.2',
      port: Number(receiver.port),
    })
    const { create, moderate, read } = await openWorkspace()
    const { webhook } = await create(`http://receiver.test:${receiver.port}/hook`, 'ban.created')
    const { sendAllDue } = openDeliveries(instance, {
      resolve: async () => ['127.0.0.2', '127.0.0.1'],
      timeoutMs: 2000,
    })
    const ban = async (userId: string) => {
      await moderate({ action: 'ban', userId, reason: 'Exploiting' })
      await sendAllDue()
      return [silent.received.length, receiver.received.length]
    }
    expect(await ban('4')).toEqual([1, 0])
    expect(await read(webhook.id)).toMatchObject({ lastError: 'There was no response within 15 seconds.' })
    instance.clock.advance(6000)
    expect(await ban('5')).toEqual([1, 2])
    expect(await read(webhook.id)).toMatchObject({ failures: '0', lastStatus: '200' })
    instance.clock.advance(600_000)
    expect(await ban('6')).toEqual([2, 2])
    silent.stop()
  })

  test('receives nothing from before it was created, and nothing of another workspace', async () => {
    receiver = startReceiver()
    const [workspace, other] = [await openWorkspace(), await openWorkspace()]
    await workspace.moderate({ action: 'ban', userId: '1', reason: 'before' })
    await workspace.create(receiver.url, 'ban.created')
    await other.create(receiver.url, 'ban.ended')
    await other.moderate({ action: 'ban', userId: '2', reason: 'elsewhere' })
    const ban = await workspace.moderate({ action: 'ban', userId: '3', reason: 'after' })
    await deliveries.sendAllDue()
    expect(receiver.received.map(({ body }) => body.data.record.id)).toEqual([ban.id])
  })

  test('shows when it last received an event, to ten seconds', async () => {
    receiver = startReceiver()
    const { create, moderate, read } = await openWorkspace()
    const { webhook } = await create(receiver.url, 'record.created')
    const receive = async () => {
      await moderate({ action: 'note', userId: '7', reason: 'Seen' })
      await deliveries.sendAllDue()
      return Date.parse((await read(webhook.id)).lastSuccessAt) - instance.clock.now()
    }
    expect(await receive()).toBe(0)
    instance.clock.advance(9999)
    expect(await receive()).toBe(-9999)
    instance.clock.advance(1)
    expect(await receive()).toBe(0)
    receiver.respondWith(() => new Response(null, { status: 204 }))
    instance.clock.advance(5000)
    await receive()
    expect(await read(webhook.id)).toMatchObject({ lastStatus: '204' })
    receiver.respondWith(() => new Response(null, { status: 500 }))
    await receive()
    receiver.respondWith(() => new Response(null, { status: 204 }))
    await receive()
    expect(await read(webhook.id)).toMatchObject({ failures: '0', lastStatus: '204', lastError: null })
  })
})
