import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Reeve, verifyWebhook, type WebhookEventName } from '@reeve/client'
import { TEST_EVENT, type WebhookEvent, webhookEventTypes } from '@reeve/core'
import { Webhook } from 'standardwebhooks'
import { type ReeveServer, startReeve } from './fixture.ts'

/** Does not compile unless the types of the client and of the server are the same. */
const SERVER_TYPES: readonly WebhookEventName[] = [...webhookEventTypes, TEST_EVENT]
const CLIENT_TYPES: readonly (WebhookEvent | typeof TEST_EVENT)[] = SERVER_TYPES

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let server: ReeveServer
beforeAll(async () => {
  server = await startReeve()
}, 60_000)
afterAll(() => server.stop())

test('every type of event that a server can send is one of the client, and its example is accepted', async () => {
  const events = await new Reeve(server.options).webhooks.listEventTypes()
  expect([...events.map(({ type }) => type), TEST_EVENT].sort()).toEqual([...CLIENT_TYPES].sort())
  for (const { type, example } of events) {
    const sentAt = new Date()
    const headers = {
      'webhook-id': `msg_${type}`,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(`msg_${type}`, sentAt, example),
    }
    const event = await verifyWebhook(headers, example, SECRET)
    expect(event).toEqual({ id: `msg_${type}`, ...JSON.parse(example) })
    expect(String(event.type)).toBe(type)
  }
})
