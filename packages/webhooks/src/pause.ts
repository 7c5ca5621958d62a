import type { Actor, Ports } from '@reeve/core'
import type { Transaction, WebhookStateReason, WebhookTable } from '@reeve/db'
import { recordWebhookChange } from './record-change.ts'
import { toInactive, updateWebhook } from './store.ts'

/**
 * Pauses a webhook that is not paused yet.
 * @param reason why; null if somebody pauses it by itself
 * @returns the paused webhook
 */
export async function pauseWebhook<Row extends WebhookTable>(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: Row,
  reason: WebhookStateReason | null,
): Promise<Row> {
  const after = await updateWebhook(tx, before, toInactive(before, 'paused', reason, ports.now()))
  await recordWebhookChange(tx, ports, actor, 'pause', before, after)
  return after
}
