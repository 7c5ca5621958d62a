import { HOUR_MS } from '@reeve/core'
import { type Queries, sqlLiteral, statement, type WebhookTable } from '@reeve/db'

/** A metric and a check look at this many webhooks, and at this many deliveries of each. */
const MAX_WEBHOOKS = 100
const MAX_DELIVERIES = 1000

const overdueWebhooks = statement<{ now: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('webhook')
    .select(['workspace_id', 'id', 'name', 'last_error'])
    .where('next_due_at', 'is not', null)
    .where('next_due_at', '<=', p.now)
    .orderBy('next_due_at')
    .limit(p.limit),
)
const dueDeliveries = statement<{ workspaceId: string; targetId: string; now: number; limit: number }>()(
  (sql, p) =>
    sql
      .selectFrom('delivery')
      .select('due_at')
      .where('workspace_id', '=', p.workspaceId)
      .where('target_id', '=', p.targetId)
      .where('done_at', 'is', null)
      .where('due_at', '<=', p.now)
      .orderBy('due_at')
      .limit(p.limit),
)
const endedWebhooks = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('webhook')
    .select(['workspace_id', 'id', 'name', 'state_reason', 'last_error'])
    .where('state_reason', 'is not', null)
    .where('state_reason', '!=', sqlLiteral('creator_lost_access'))
    .where('deleted_at', 'is', null)
    .orderBy('workspace_id')
    .orderBy('id')
    .limit(p.limit),
)

export interface DueDeliveries {
  /** Deliveries that are due and not yet sent: of the webhooks that have waited longest, and of each at most 1000. */
  readonly due: number
  /** How long the oldest of them has been due, in milliseconds. */
  readonly oldestMs: number
}

interface OverdueWebhook extends Pick<WebhookTable, 'workspace_id' | 'id' | 'name' | 'last_error'> {
  readonly due: number
  readonly oldestMs: number
}

async function listOverdue(db: Queries, now: number): Promise<OverdueWebhook[]> {
  const overdue: OverdueWebhook[] = []
  for (const webhook of await db.all(overdueWebhooks, { now, limit: MAX_WEBHOOKS })) {
    const { workspace_id: workspaceId, id: targetId } = webhook
    const rows = await db.all(dueDeliveries, { workspaceId, targetId, now, limit: MAX_DELIVERIES })
    if (rows[0]) overdue.push({ ...webhook, due: rows.length, oldestMs: now - rows[0].due_at })
  }
  return overdue
}

/** How much is due at the moment. */
export async function countDueDeliveries(db: Queries, now: number): Promise<DueDeliveries> {
  const webhooks = await listOverdue(db, now)
  return {
    due: webhooks.reduce((sum, { due }) => sum + due, 0),
    oldestMs: Math.max(0, ...webhooks.map(({ oldestMs }) => oldestMs)),
  }
}

/** A delivery that was due this long ago is stuck: nothing sends, or its receiver takes too long for what it gets. */
const STUCK_MS = HOUR_MS

/** Webhooks with deliveries that have been due for more than an hour. */
export const listStuckWebhooks = async (db: Queries, now: number): Promise<OverdueWebhook[]> =>
  (await listOverdue(db, now)).filter(({ oldestMs }) => oldestMs > STUCK_MS)

/** Webhooks that Reeve has paused or disabled, and that nobody has looked at since. */
export const listStoppedWebhooks = (db: Queries, limit: number) => db.all(endedWebhooks, { limit })
