import type { SequenceStep } from './request-sequence.ts'
import { deleteStep, readStep, writeStep } from './request-steps.ts'

/** Requests to every endpoint of webhooks. */
export const webhookSteps: readonly SequenceStep[] = [
  writeStep(
    'POST',
    'webhooks',
    // Nothing listens there, and nothing is sent by these requests.
    { name: 'Bot', url: 'http://127.0.0.1:1/hook', events: 'ban.created,ban.ended' },
    { save: { webhook: 'webhook.id' } },
  ),
  writeStep(
    'POST',
    'webhooks',
    { name: 'Bot', url: 'https://10.0.0.1/', events: 'no.event' },
    { status: 400 },
  ),
  writeStep('POST', 'webhooks/test', { id: '{webhook}' }, { save: { delivery: 'delivery.id' } }),
  readStep('webhooks'),
  readStep('webhooks', { id: '{webhook}' }),
  readStep('webhooks/events'),
  readStep('webhooks/deliveries', { webhookId: '{webhook}' }),
  readStep('webhooks/deliveries', { webhookId: '{webhook}', state: 'failed' }),
  readStep('webhooks/deliveries', { id: '{delivery}' }),
  writeStep('PATCH', 'webhooks', { id: '{webhook}', name: 'Other bot', events: '["ban.ended"]' }),
  writeStep('PATCH', 'webhooks', { id: '{webhook}', action: 'pause' }),
  writeStep('POST', 'webhooks/resend', { id: '{webhook}', since: '2026-01-01T00:00:00Z' }, { status: 409 }),
  writeStep('PATCH', 'webhooks', { id: '{webhook}', action: 'resume' }),
  writeStep('POST', 'webhooks/resend', { id: '{webhook}', deliveryId: '{delivery}' }),
  writeStep('POST', 'webhooks/resend', { id: '{webhook}', since: '2026-01-01T00:00:00Z' }),
  writeStep('PATCH', 'webhooks', { id: '{webhook}', action: 'rotate', graceSeconds: 0 }),
  deleteStep('webhooks', '{webhook}'),
  readStep('webhooks', { id: '{webhook}' }, { status: 404 }),
]
