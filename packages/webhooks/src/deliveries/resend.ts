import { type Actor, AppError, invalidRequest, type Ports, requireFields } from '@reeve/core'
import { sqlLiteral, statement, type Transaction } from '@reeve/db'
import { announceWebhook, markDeliveriesDue, requireWebhook, toKey, type WebhookKey } from '../store.ts'
import type { ResendInput } from './model.ts'
import { requireDelivery } from './read.ts'

/** How many deliveries one request sends again: an update of a few milliseconds. */
const MAX_RESENT = 500

const unset = {
  state: 'pending',
  attempt: 0,
  done_at: null,
  leased_until: null,
  leased_by: null,
} as const

const restart = statement<{ workspaceId: string; id: string; now: number }>()((sql, p) =>
  sql
    .updateTable('delivery')
    .set({ ...unset, due_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('leased_until', 'is', null),
)
const restartFailed = statement<{
  workspaceId: string
  targetId: string
  since: number
  now: number
  limit: number
}>()((sql, p) =>
  sql
    .updateTable('delivery')
    .set({ ...unset, due_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) =>
      eb(
        'id',
        'in',
        eb
          .selectFrom('delivery as failed')
          .select('failed.id')
          .where('failed.workspace_id', '=', p.workspaceId)
          .where('failed.target_id', '=', p.targetId)
          .where('failed.state', '=', sqlLiteral('failed'))
          .where('failed.created_at', '>=', p.since)
          .where('failed.payload', 'is not', null)
          .orderBy('failed.id')
          .limit(p.limit),
      ),
    ),
)
const endPause = statement<WebhookKey>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set({ hold_until: 0 })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/**
 * Sends one delivery again, or the failed ones since a time, with all of their attempts and their former message IDs. It ends a pause that the
 * receiver asked for, because people do this once the receiver works; Discord rejects what does not keep to its rate limits.
 * @returns how many are sent again, and whether further ones match
 * @throws AppError `not_found`, `invalid_request`, `conflict`
 */
export async function resendDeliveries(tx: Transaction, ports: Ports, actor: Actor, input: ResendInput) {
  const { id } = requireFields(input, 'id')
  const { deliveryId, since } = input
  if ((deliveryId === undefined) === (since === undefined))
    throw invalidRequest({ field: 'deliveryId', message: 'is required, or since instead of it' })
  const { workspaceId } = actor
  const webhook = await requireWebhook(tx, { workspaceId, id })
  if (webhook.state !== 'active')
    throw new AppError('conflict', { message: `This webhook is ${webhook.state}. Resume it first.` })
  const now = ports.now()
  const resent =
    deliveryId === undefined
      ? await tx.run(restartFailed, {
          workspaceId,
          targetId: id,
          since: since ?? 0,
          now,
          limit: MAX_RESENT,
        })
      : await resendOne(tx, actor, id, deliveryId, now)
  if (resent > 0) {
    if (webhook.kind !== 'discord') await tx.run(endPause, toKey(webhook))
    await markDeliveriesDue(tx, workspaceId, [webhook.id], now)
    announceWebhook(tx, webhook)
  }
  return { resent: String(resent), hasMore: String(deliveryId === undefined && resent === MAX_RESENT) }
}

async function resendOne(
  tx: Transaction,
  actor: Actor,
  webhookId: string,
  deliveryId: string,
  now: number,
): Promise<number> {
  const { delivery } = await requireDelivery(tx, actor, deliveryId)
  if (delivery.target_id !== webhookId) throw new AppError('not_found')
  if (delivery.payload === null)
    throw new AppError('conflict', { message: 'The record of this event was redacted: its body is gone.' })
  const restarted = await tx.run(restart, { workspaceId: actor.workspaceId, id: deliveryId, now })
  if (restarted === 0) throw new AppError('conflict', { message: 'This delivery is being sent right now.' })
  return restarted
}
