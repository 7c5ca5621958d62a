import { type Actor, AppError, type Ports, requireFields, TEST_EVENT } from '@reeve/core'
import type { Transaction } from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { formatBody } from '../dispatch/body.ts'
import { announceWebhook, markTestDeliveryDue, requireWebhook, toKey } from '../store.ts'
import { countDeliveryBytes, createDelivery, insertDeliveries } from './insert.ts'
import { presentDeliveryWithContent, type TestInput } from './model.ts'

/**
 * Sends a `webhook.test` event once, also to a webhook that is paused or disabled. The process that delivers sends it at once; read the
 * delivery for the response.
 * @throws AppError `not_found`, `conflict` if there is nothing left to send to
 */
export async function testWebhook(tx: Transaction, ports: Ports, actor: Actor, input: TestInput) {
  const { id } = requireFields(input, 'id')
  const { workspaceId } = actor
  const webhook = await requireWebhook(tx, { workspaceId, id })
  if (webhook.secret === null)
    throw new AppError('conflict', { message: 'This webhook no longer has a URL: delete it.' })
  const now = ports.now()
  const payload = formatBody(TEST_EVENT, now, {
    workspaceId,
    webhook: { id, name: webhook.name },
  })
  const delivery = createDelivery(ports, {
    workspace_id: workspaceId,
    target_id: id,
    kind: TEST_EVENT,
    resource_id: null,
    payload,
  })
  await insertDeliveries(tx, [delivery])
  await markTestDeliveryDue(tx, toKey(webhook), now)
  await changeStorage(tx, workspaceId, 'records', countDeliveryBytes(delivery))
  announceWebhook(tx, webhook)
  return { delivery: presentDeliveryWithContent(delivery, webhook, actor) }
}
