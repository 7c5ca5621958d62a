import type { Example } from './example.ts'

/** The examples of the operations on webhooks. */
export const webhookExamples = ({
  workspace: workspaceId,
  webhook,
  delivery,
}: {
  readonly workspace: string
  readonly webhook: string
  readonly delivery: string
}): Readonly<Record<string, Readonly<Record<string, Example>>>> => ({
  'get webhooks': {
    list: { summary: 'All webhooks', query: { workspaceId } },
    one: { summary: 'One webhook', query: { workspaceId, id: webhook } },
  },
  'post webhooks': {
    create: {
      summary: 'Send bans to a program: the response has the signing secret',
      body: {
        workspaceId,
        name: 'Ban log',
        url: 'https://example.com/hooks/reeve',
        events: 'ban.created,ban.ended',
      },
    },
    createDiscord: {
      summary: 'Send bans to a channel in Discord',
      body: {
        workspaceId,
        name: 'Staff channel',
        url: 'https://discord.com/api/webhooks/123456789012345678/the-token-of-the-webhook',
        events: '["ban.created","ban.ended"]',
      },
    },
    rotate: {
      summary: 'Rotate the secret: for an hour, both sign',
      body: { workspaceId, action: 'rotate', id: webhook, graceSeconds: '3600' },
    },
  },
  'patch webhooks': {
    update: {
      summary: 'Change the events',
      body: { workspaceId, id: webhook, events: 'record.created,record.ended' },
    },
    pause: { summary: 'Pause a webhook', body: { workspaceId, action: 'pause', id: webhook } },
    resume: { summary: 'Resume it', body: { workspaceId, action: 'resume', id: webhook } },
  },
  'delete webhooks': { one: { summary: 'Delete a webhook', query: { workspaceId, id: webhook } } },
  'get webhooks/events': {
    list: { summary: 'The events, each with an example of its body', query: { workspaceId } },
  },
  'get webhooks/deliveries': {
    list: { summary: 'What was sent to a webhook', query: { workspaceId, webhookId: webhook } },
    failed: {
      summary: 'What could not be delivered',
      query: { workspaceId, webhookId: webhook, state: 'failed' },
    },
    one: { summary: 'One delivery with its body and response', query: { workspaceId, id: delivery } },
  },
  'post webhooks/test': {
    test: { summary: 'Send a test event', body: { workspaceId, id: webhook } },
  },
  'post webhooks/resend': {
    one: {
      summary: 'Send one delivery again',
      body: { workspaceId, id: webhook, deliveryId: delivery },
    },
    since: {
      summary: 'Send everything again that failed since a time',
      body: { workspaceId, id: webhook, since: '2026-03-01T18:00:00Z' },
    },
  },
})
