import { type DeliveryTable, statement, type Transaction } from '@reeve/db'
import { isNotDue, lockWebhooks, markDueBy, type WebhookKeys } from '../store.ts'
import { type Claim, createLimits, type Share } from './claim-limits.ts'
import { LEASE_MS } from './limits.ts'

/** Locks those of the webhooks that may be sent to at once, and for which nothing else is due. */
const lockIdle = statement<WebhookKeys & { now: number }>({ isCommutative: true })((sql, p, dialect) =>
  lockWebhooks(sql.selectFrom('webhook'), p, dialect)
    .selectAll()
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('hold_until', '<=', p.now)
    .where((eb) => isNotDue(eb, p.now)),
)

/**
 * Claims deliveries before they are inserted, in the same transaction, where nothing else is due for their webhook: an event is then sent after one
 * commit instead of two. The others stay due.
 * @param shares of webhooks that do not keep failing
 * @returns all deliveries to insert, and what to send once they are committed
 */
export async function claimNew(
  tx: Transaction,
  runner: string,
  workspaceId: string,
  shares: readonly Share[],
  deliveries: readonly DeliveryTable[],
  now: number,
): Promise<{ readonly toInsert: readonly DeliveryTable[]; readonly claims: readonly Claim[] }> {
  const webhooks = await tx.all(lockIdle, { workspaceId, ids: shares.map(({ webhook }) => webhook.id), now })
  if (webhooks.length === 0) return { toInsert: deliveries, claims: [] }
  const getLimit = await createLimits(tx, workspaceId, webhooks, shares, now)
  const leasedUntil = now + LEASE_MS
  const leases = new Map(
    webhooks.map((webhook) => [webhook.id, { slots: getLimit(webhook), claimed: [] as DeliveryTable[] }]),
  )
  const toInsert = deliveries.map((delivery) => {
    const lease = leases.get(delivery.target_id)
    if (!lease || lease.claimed.length >= lease.slots) return delivery
    const claimed = {
      ...delivery,
      attempt: 1,
      due_at: leasedUntil,
      leased_until: leasedUntil,
      leased_by: runner,
    }
    lease.claimed.push(claimed)
    return claimed
  })
  const claims = webhooks.flatMap((webhook) => {
    const claimed = leases.get(webhook.id)?.claimed ?? []
    return claimed.length > 0 ? [{ webhook, deliveries: claimed }] : []
  })
  const dueLater = claims.filter(
    ({ webhook: { next_due_at } }) => next_due_at === null || next_due_at > leasedUntil,
  )
  await markDueBy(
    tx,
    workspaceId,
    dueLater.map(({ webhook }) => webhook.id),
    leasedUntil,
  )
  return { toInsert, claims }
}
