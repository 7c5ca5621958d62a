import { type Ports, TEST_EVENT } from '@reeve/core'
import {
  type Database,
  type DeliveryTable,
  statement,
  statementFamily,
  type Transaction,
  type WebhookTable,
} from '@reeve/db'
import { compareIds, markDeliveriesDue, markDueBy, toKey, type WebhookKey } from '../store.ts'
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
/** Locks a webhook that may be sent to at once, and for which nothing else is due. */
const lockIdle = statement<WebhookKey & { now: number }>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({ hold_until: eb.ref('hold_until') }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('hold_until', '<=', p.now)
    .where((eb) => eb.or([eb('next_due_at', 'is', null), eb('next_due_at', '>', p.now)]))
    .returningAll(),
)
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
/** An attempt that is in progress is due when its lease ends, so this continues those of a process that was killed. */
const dueDeliveries = statementFamily<
  WebhookKey & { now: number; testEvent: string; limit: number },
  { testsOnly: boolean }
>(() => ({ isCommutative: true }))((sql, p, { testsOnly }) =>
  sql
    .selectFrom('delivery')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.id)
    .where('done_at', 'is', null)
    .where('due_at', '<=', p.now)
    .$if(testsOnly, (query) => query.where('kind', '=', p.testEvent))
    .orderBy('due_at')
    .limit(p.limit),
)
/** With the webhook, so that PostgreSQL chooses an index by it also while it has no statistics about a new table. */
const claim = statement<WebhookKey & { deliveryIds: readonly string[]; leasedUntil: number; runner: string }>(
  { isCommutative: true },
)((sql, p, dialect) =>
  sql
    .updateTable('delivery')
    .set((eb) => ({
      due_at: p.leasedUntil,
      leased_until: p.leasedUntil,
      leased_by: p.runner,
      attempt: eb('attempt', '+', 1),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('target_id', '=', p.id)
    .where(dialect.inList('id', p.deliveryIds))
    .returningAll(),
)
/** When a webhook is due again after a claim. */
type DueState = 'active' | 'held' | 'inactive'

const setNextDue = statementFamily<{ workspaceId: string; ids: readonly string[] }, DueState>(() => ({
  isCommutative: true,
}))((sql, p, state, dialect) =>
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
                .whereRef('delivery.target_id', '=', 'webhook.id')
                .where('delivery.done_at', 'is', null),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
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

/** How many requests this process can send to a webhook at the moment. */
export interface Share {
  readonly target: DueWebhook
  readonly room: number
}

export interface Claim {
  readonly webhook: WebhookTable
  readonly deliveries: readonly DeliveryTable[]
}

/**
 * Claims what is due for webhooks of a workspace. It belongs to this process until its lease ends.
 * @param runner names this process
 */
export function claimDeliveries(
  db: Database,
  ports: Ports,
  runner: string,
  workspaceId: string,
  shares: readonly Share[],
): Promise<readonly Claim[]> {
  const ordered = shares.toSorted((one, other) => compareIds(one.target, other.target))
  return db.write(async (tx) => {
    const now = ports.now()
    const lock = { now, busyUntil: now + BUSY_MS }
    const webhooks = (
      await tx.allEach(
        lockWebhook,
        ordered.map(({ target }) => ({ ...toKey(target), ...lock })),
      )
    ).flat()
    if (webhooks.length === 0) return []
    const getLimit = await createLimits(tx, workspaceId, webhooks, shares, now)
    const free = webhooks.filter((webhook) => getLimit(webhook) > 0)
    const claims: Claim[] = []
    // The locks of the webhooks keep other processes from claiming the same.
    for (const [state, group] of Map.groupBy(free, (webhook) => getDueState(webhook, now))) {
      const due = await tx.allEach(
        dueDeliveries({ testsOnly: state !== 'active' }),
        group.map((webhook) => ({
          ...toKey(webhook),
          ...{ now, testEvent: TEST_EVENT, limit: getLimit(webhook) },
        })),
      )
      const toClaim = group.flatMap((webhook, index) => {
        const deliveryIds = (due[index] ?? []).map(({ id }) => id)
        return deliveryIds.length > 0 ? [{ webhook, deliveryIds }] : []
      })
      const leasedUntil = now + LEASE_MS
      const claimed = await tx.allEach(
        claim,
        toClaim.map(({ webhook, deliveryIds }) => ({ ...toKey(webhook), deliveryIds, leasedUntil, runner })),
      )
      for (const [index, { webhook }] of toClaim.entries())
        claims.push({ webhook, deliveries: claimed[index] ?? [] })
      await tx.run(setNextDue(state), { workspaceId, ids: group.map(({ id }) => id) })
    }
    return claims
  })
}

/** Decides how many requests to a locked webhook may begin. */
async function createLimits(
  tx: Transaction,
  workspaceId: string,
  webhooks: readonly WebhookTable[],
  shares: readonly Share[],
  now: number,
): Promise<(webhook: WebhookTable) => number> {
  const rooms = new Map(shares.map(({ target, room }) => [target.id, room]))
  const leased = await tx.all(countLeased, { workspaceId, ids: webhooks.map(({ id }) => id), now })
  const leasedById = new Map(leased.map(({ target_id, count }) => [target_id, Number(count)]))
  return (webhook) =>
    Math.min(rooms.get(webhook.id) ?? 0, getConcurrency(webhook) - (leasedById.get(webhook.id) ?? 0))
}

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
  const ordered = shares.toSorted((one, other) => compareIds(one.target, other.target))
  const webhooks = (
    await tx.allEach(
      lockIdle,
      ordered.map(({ target }) => ({ ...toKey(target), now })),
    )
  ).flat()
  if (webhooks.length === 0) return { toInsert: deliveries, claims: [] }
  const getLimit = await createLimits(tx, workspaceId, webhooks, shares, now)
  const leasedUntil = now + LEASE_MS
  const leases = new Map(
    webhooks.map((webhook) => [webhook.id, { room: getLimit(webhook), claimed: [] as DeliveryTable[] }]),
  )
  const toInsert = deliveries.map((delivery) => {
    const lease = leases.get(delivery.target_id)
    if (!lease || lease.claimed.length >= lease.room) return delivery
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
    dueLater.map(({ webhook }) => toKey(webhook)),
    leasedUntil,
  )
  return { toInsert, claims }
}

const getDueState = ({ state, hold_until }: WebhookTable, now: number): DueState =>
  state !== 'active' ? 'inactive' : hold_until > now ? 'held' : 'active'

/** Gives back the delivery of an attempt that was not made or that a shutdown has interrupted. */
export const releaseDelivery = (
  db: Database,
  ports: Ports,
  { workspace_id, target_id, id }: Pick<DeliveryTable, 'workspace_id' | 'target_id' | 'id'>,
): Promise<unknown> =>
  db.write(async (tx) => {
    const now = ports.now()
    await markDeliveriesDue(tx, [{ workspaceId: workspace_id, id: target_id }], now)
    await tx.run(release, { workspaceId: workspace_id, id, now })
  })

/** The most that a process can have been sending when it was killed. */
const MAX_LEASED = 1000

/** Gives back what a process was sending that no longer runs: only for a database that one process at a time uses. */
export async function releaseAll(db: Database, ports: Ports): Promise<void> {
  for (const delivery of await db.read.all(leasedTargets, { limit: MAX_LEASED }))
    await releaseDelivery(db, ports, delivery)
}
