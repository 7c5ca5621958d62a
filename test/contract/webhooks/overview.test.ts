import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
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
afterEach(() => receiver?.stop())

/** A workspace with a webhook that receives bans. */
async function openWebhook(status: number) {
  receiver = startReceiver(() => new Response(null, { status }))
  const workspace = await instance.workspace()
  const caller = createWebhookCaller(instance, workspace)
  const { webhook } = await caller.create(receiver.url, 'ban.created', 'Ban log')
  return {
    ...caller,
    webhook,
    async ban(userId: string): Promise<void> {
      await caller.moderate({ action: 'ban', userId, reason: 'Exploiting' })
      await deliveries.sendAllDue()
    },
    async listOnHome() {
      const { body } = await instance.request('GET', `/portal/api/overview?workspaceId=${workspace.id}`, {
        session: workspace.ownerSession,
      })
      return body.webhooks
    },
  }
}

describe('the overview', () => {
  test('names a webhook that its receiver has disabled, until it is resumed', async () => {
    const { webhook, ban, listOnHome, call } = await openWebhook(410)
    await ban('1')
    expect(await listOnHome()).toEqual([
      { id: webhook.id, name: 'Ban log', state: 'disabled', stateReason: 'gone', creatorStatus: 'member' },
    ])
    await call('PATCH', 'webhooks', { id: webhook.id, action: 'resume' })
    expect(await listOnHome()).toEqual([])
  })

  test('names a webhook that has failed for an hour, not one that has just failed, nor one that somebody paused', async () => {
    const { webhook, ban, listOnHome, call } = await openWebhook(503)
    await ban('1')
    expect(await listOnHome()).toEqual([])
    instance.clock.advance(3_600_000)
    expect(await listOnHome()).toEqual([
      { id: webhook.id, name: 'Ban log', state: 'active', stateReason: null, creatorStatus: 'member' },
    ])
    await call('PATCH', 'webhooks', { id: webhook.id, action: 'pause' })
    expect(await listOnHome()).toEqual([])
  })
})

describe('the examples of events', () => {
  test('are what is sent: a body, and a message in Discord that notifies nobody and links to the case', async () => {
    const { call, webhook } = await openWebhook(200)
    const { events } = await call('GET', 'webhooks/events')
    const example = events.find(({ type }: { type: string }) => type === 'ban.created')
    const { data, type } = JSON.parse(example.example)
    expect([type, data.workspaceId]).toEqual(['ban.created', webhook.workspaceId])
    const message = JSON.parse(example.discordExample)
    expect(message.allowed_mentions).toEqual({ parse: [] })
    expect(message.embeds[0].url).toEndWith(`/w/${webhook.workspaceId}/moderation/cases/${data.record.id}`)
  })
})
