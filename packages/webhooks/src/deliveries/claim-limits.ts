import { type DeliveryTable, statement, type Transaction, type WebhookTable } from '@reeve/db'
import { FAILURES_TO_SLOW_DOWN, MAX_PER_WEBHOOK } from './limits.ts'

const countLeased = statement<{ workspaceId: string; ids: readonly string[]; now: number }>({
  isCommutative: true,
})((sql, p, dialect) =>
  sql
    .selectFrom('delivery')
    .select((eb) => ['target_id', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('target_id', p.ids))
    .where('leased_until', 'is not', null)
    .where('leased_until', '>', p.now)
    .groupBy('target_id'),
)

export type DueWebhook = Pick<WebhookTable, 'workspace_id' | 'id' | 'failures' | 'kind'>

/** Whether a webhook keeps failing, so that it gets one request at a time. */
export const isSlowedDown = ({ failures }: Pick<WebhookTable, 'failures'>): boolean =>
  failures >= FAILURES_TO_SLOW_DOWN

/** A webhook that keeps failing gets one request at a time, and Discord always, because its rate limits are per channel. */
export const getConcurrency = (webhook: Pick<WebhookTable, 'failures' | 'kind'>): number =>
  webhook.kind === 'discord' || isSlowedDown(webhook) ? 1 : MAX_PER_WEBHOOK

/** How many requests this process can send to a webhook at the moment. */
export interface Share {
  readonly webhook: DueWebhook
  readonly slots: number
}

/** Deliveries to a webhook that this process sends. */
export interface Claim {
  readonly webhook: WebhookTable
  readonly deliveries: readonly DeliveryTable[]
}

/** Decides how many requests to a locked webhook may begin. */
export async function createLimits(
  tx: Transaction,
  workspaceId: string,
  webhooks: readonly WebhookTable[],
  shares: readonly Share[],
  now: number,
): Promise<(webhook: WebhookTable) => number> {
  const slotsById = new Map(shares.map(({ webhook, slots }) => [webhook.id, slots]))
  const leased = await tx.all(countLeased, { workspaceId, ids: webhooks.map(({ id }) => id), now })
  const leasedById = new Map(leased.map(({ target_id, count }) => [target_id, Number(count)]))
  return (webhook) =>
    Math.min(slotsById.get(webhook.id) ?? 0, getConcurrency(webhook) - (leasedById.get(webhook.id) ?? 0))
}
