import { type Ports, TEST_EVENT } from '@reeve/core'
import { type Database, type DeliveryTable, statement, statementFamily, type WebhookTable } from '@reeve/db'
import { markDeliveryDue, toKey, type WebhookKey } from '../store.ts'
import { FAILURES_TO_SLOW_DOWN, LEASE_MS, MAX_PER_WEBHOOK } from './limits.ts'

/** When a webhook is looked at again whose requests are all in progress, maybe in another process. */
const BUSY_MS = 1000

const dueWebhooks = statement<{ now: number; limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .selectFrom('webhook')
    .select(['workspace_id', 'id', 'failures', 'kind'])
    .where('next_due_at', 'is not', null)
    .where('next_due_at', '<=', p.now)
    .orderBy('next_due_at')
    .limit(p.limit),
)
const nextDue = statement<{ limit: number }>({ isCommutative: true })((sql, p) =>
  sql
    .selectFrom('webhook')
    .select('next_due_at')
    .where('next_due_at', 'is not', null)
    .orderBy('next_due_at')
    .limit(p.limit),
)
/** Locks the row, so that processes claim the deliveries of a webhook one after the other, and its limit holds for all together. */
const lockWebhook = statement<WebhookKey & { now: number; busyUntil: number }>({ isCommutative: true })(
  (sql, p) =>
    sql
      .updateTable('webhook')
      .set({ next_due_at: p.busyUntil })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id)
      .where('next_due_at', '<=', p.now)
      .where('deleted_at', 'is', null)
      .returningAll(),
)
const countLeased = statement<WebhookKey & { now: number }>({ isCommutative: true })((sql, p) =>
  sql
    .selectFrom('delivery')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.id)
    .where('leased_until', 'is not', null)
    .where('leased_until', '>', p.now),
)
/**
 * An attempt that is in progress is due when its lease ends, so this continues those of a process that was killed. The lock of the webhook
 * makes `SKIP LOCKED` unnecessary, with which PostgreSQL may run the subquery several times and update more rows than its limit.
 */
const claim = statementFamily<
  WebhookKey & { now: number; leasedUntil: number; runner: string; testEvent: string; limit: number },
  { testsOnly: boolean }
>(() => ({ isCommutative: true }))((sql, p, { testsOnly }) =>
  sql
    .updateTable('delivery')
    .set((eb) => ({
      due_at: p.leasedUntil,
      leased_until: p.leasedUntil,
      leased_by: p.runner,
      attempt: eb('attempt', '+', 1),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery as due')
        .select('due.id')
        .where('due.workspace_id', '=', p.workspaceId)
        .where('due.target_id', '=', p.id)
        .where('due.done_at', 'is', null)
        .where('due.due_at', '<=', p.now)
        .$if(testsOnly, (query) => query.where('due.kind', '=', p.testEvent))
        .orderBy('due.due_at')
        .limit(p.limit),
    )
    .returningAll(),
)
const setNextDue = statementFamily<WebhookKey, 'active' | 'held' | 'inactive'>(() => ({
  isCommutative: true,
}))((sql, p, state) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({
      next_due_at:
        state === 'inactive'
          ? null
          : state === 'held'
            ? eb.ref('hold_until')
            : eb
                .selectFrom('delivery')
                .select((nested) => nested.fn.min('due_at').as('due_at'))
                .where('delivery.workspace_id', '=', p.workspaceId)
                .where('delivery.target_id', '=', p.id)
                .where('delivery.done_at', 'is', null),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const leasedTargets = statement<{ limit: number }>()((sql, p) =>
  sql
    .selectFrom('delivery')
    .select(['workspace_id', 'target_id', 'id'])
    .where('leased_until', 'is not', null)
    .limit(p.limit),
)
const release = statement<{ workspaceId: string; id: string; now: number }>({ isCommutative: true })(
  (sql, p) =>
    sql
      .updateTable('delivery')
      .set({ leased_until: null, leased_by: null, due_at: p.now })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)

export type DueWebhook = Pick<WebhookTable, 'workspace_id' | 'id' | 'failures' | 'kind'>

/** A webhook that keeps failing gets one request at a time, and Discord always, because its rate limits are per channel. */
export const getConcurrency = ({ failures, kind }: Pick<WebhookTable, 'failures' | 'kind'>): number =>
  kind === 'discord' || failures >= FAILURES_TO_SLOW_DOWN ? 1 : MAX_PER_WEBHOOK

/** The webhooks that something is due for, those that have waited longest first. */
export const listDueWebhooks = (db: Database, now: number, limit: number): Promise<DueWebhook[]> =>
  db.read.all(dueWebhooks, { now, limit })

/** When the next delivery is due, in epoch milliseconds; null if none waits. */
export const findNextDue = async (db: Database): Promise<number | null> =>
  (await db.read.first(nextDue, { limit: 1 }))?.next_due_at ?? null

export interface Claim {
  readonly webhook: WebhookTable
  readonly deliveries: readonly DeliveryTable[]
}

/**
 * Claims deliveries that are due. They belong to this process until their lease ends.
 * @param runner names this process @param limit how many this process can send at the moment
 */
export function claimDeliveries(
  db: Database,
  ports: Ports,
  runner: string,
  target: DueWebhook,
  limit: number,
): Promise<Claim | null> {
  const key = toKey(target)
  return db.write(async (tx) => {
    const now = ports.now()
    const webhook = await tx.first(lockWebhook, { ...key, now, busyUntil: now + BUSY_MS })
    if (!webhook) return null
    const leased = await tx.first(countLeased, { ...key, now })
    const free = Math.min(limit, getConcurrency(webhook) - Number(leased?.count ?? 0))
    if (free <= 0) return null
    const isActive = webhook.state === 'active'
    const isPostponed = isActive && webhook.hold_until > now
    const deliveries = await tx.all(claim({ testsOnly: isPostponed || !isActive }), {
      ...key,
      now,
      leasedUntil: now + LEASE_MS,
      runner,
      testEvent: TEST_EVENT,
      limit: free,
    })
    await tx.run(setNextDue(isPostponed ? 'held' : isActive ? 'active' : 'inactive'), key)
    return { webhook, deliveries }
  })
}

/** Gives back the delivery of an attempt that was not made or that a shutdown has interrupted. */
export const releaseDelivery = (
  db: Database,
  ports: Ports,
  { workspace_id, target_id, id }: Pick<DeliveryTable, 'workspace_id' | 'target_id' | 'id'>,
): Promise<unknown> =>
  db.write(async (tx) => {
    const now = ports.now()
    await markDeliveryDue(tx, { workspaceId: workspace_id, id: target_id }, now)
    await tx.run(release, { workspaceId: workspace_id, id, now })
  })

/** The most that a process can have been sending when it was killed. */
const MAX_LEASED = 1000

/** Gives back what a process was sending that no longer runs: only for a database that one process at a time uses. */
export async function releaseAll(db: Database, ports: Ports): Promise<void> {
  for (const delivery of await db.read.all(leasedTargets, { limit: MAX_LEASED }))
    await releaseDelivery(db, ports, delivery)
}
