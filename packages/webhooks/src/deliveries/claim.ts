import { type Ports, TEST_EVENT } from '@reeve/core'
import { type Database, statement, statementFamily, type WebhookTable } from '@reeve/db'
import { lockWebhooks, selectFirstDue, toKey, type WebhookKey, type WebhookKeys } from '../store.ts'
import { type Claim, createLimits, type DueWebhook, isSlowedDown, type Share } from './claim-limits.ts'
import { FAILURES_TO_SLOW_DOWN, LEASE_MS } from './limits.ts'

/** When a webhook is looked at again whose requests are all in progress, maybe in another process. */
const BUSY_MS = 1000

const dueWebhooks = statementFamily<
  { now: number; failuresToSlowDown: number; limit: number },
  { withoutFailing: boolean }
>(() => ({ isCommutative: true }))((sql, p, { withoutFailing }) =>
  sql
    .selectFrom('webhook')
    .select(['workspace_id', 'id', 'failures', 'kind'])
    .where('next_due_at', 'is not', null)
    .where('next_due_at', '<=', p.now)
    .$if(withoutFailing, (query) => query.where('failures', '<', p.failuresToSlowDown))
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
/** Locks the rows, so that processes claim the deliveries of a webhook one after the other, and its limit holds for all together. */
const lockDue = statement<WebhookKeys & { now: number }>({ isCommutative: true })((sql, p, dialect) =>
  lockWebhooks(sql.selectFrom('webhook'), p, dialect)
    .selectAll()
    .where('next_due_at', '<=', p.now)
    .where('deleted_at', 'is', null),
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
/** With the webhooks, so that PostgreSQL chooses an index by them also while it has no statistics about a new table. */
const claim = statement<
  WebhookKeys & { deliveryIds: readonly string[]; leasedUntil: number; runner: string }
>({ isCommutative: true })((sql, p, dialect) =>
  sql
    .updateTable('delivery')
    .set((eb) => ({
      due_at: p.leasedUntil,
      leased_until: p.leasedUntil,
      leased_by: p.runner,
      attempt: eb('attempt', '+', 1),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('target_id', p.ids))
    .where(dialect.inList('id', p.deliveryIds))
    .returningAll(),
)
/** When a webhook is due again after a claim. */
type DueState = 'active' | 'held' | 'inactive' | 'busy'

const setNextDue = statementFamily<WebhookKeys & { busyUntil: number; testEvent: string }, DueState>(() => ({
  isCommutative: true,
}))((sql, p, state, dialect) =>
  sql
    .updateTable('webhook')
    .set((eb) => {
      if (state === 'busy') return { next_due_at: p.busyUntil }
      const firstDue = selectFirstDue(eb, p.workspaceId)
      if (state === 'active') return { next_due_at: firstDue }
      // Tests are sent all the same, which can be more than are claimed at once.
      const firstTest = firstDue.where('delivery.kind', '=', p.testEvent)
      if (state === 'inactive') return { next_due_at: firstTest }
      const isTestFirst = eb(firstTest, '<', eb.ref('hold_until'))
      return { next_due_at: eb.case().when(isTestFirst).then(firstTest).else(eb.ref('hold_until')).end() }
    })
    .where('workspace_id', '=', p.workspaceId)
    .where(dialect.inList('id', p.ids)),
)

/**
 * The webhooks that something is due for, those that have waited longest first. Those that keep failing may get few requests at once, so the
 * others are looked at too, however many of them wait.
 * @param limit how many of both
 */
export async function listDueWebhooks(db: Database, now: number, limit: number): Promise<DueWebhook[]> {
  const page = { now, failuresToSlowDown: FAILURES_TO_SLOW_DOWN, limit }
  const oldest = await db.read.all(dueWebhooks({ withoutFailing: false }), page)
  if (oldest.length < limit) return oldest
  const failing = oldest.filter(isSlowedDown)
  return failing.length === 0
    ? oldest
    : [...failing, ...(await db.read.all(dueWebhooks({ withoutFailing: true }), page))]
}

/** When the next delivery is due, in epoch milliseconds; null if none waits. */
export const findNextDue = async (db: Database): Promise<number | null> =>
  (await db.read.first(nextDue, { limit: 1 }))?.next_due_at ?? null

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
  return db.write(async (tx) => {
    const now = ports.now()
    const webhooks = await tx.all(lockDue, { workspaceId, ids: shares.map(({ webhook }) => webhook.id), now })
    if (webhooks.length === 0) return []
    const getLimit = await createLimits(tx, workspaceId, webhooks, shares, now)
    const getState = (webhook: WebhookTable) => getDueState(webhook, getLimit(webhook), now)
    const claims: Claim[] = []
    // The locks of the webhooks keep other processes from claiming the same.
    for (const [state, group] of Map.groupBy(webhooks, getState)) {
      const ids = group.map(({ id }) => id)
      if (state !== 'busy') {
        const due = await tx.allEach(
          dueDeliveries({ testsOnly: state !== 'active' }),
          group.map((webhook) => ({
            ...toKey(webhook),
            now,
            testEvent: TEST_EVENT,
            limit: getLimit(webhook),
          })),
        )
        const lease = { leasedUntil: now + LEASE_MS, runner }
        const deliveryIds = due.flat().map(({ id }) => id)
        const claimed =
          deliveryIds.length > 0 ? await tx.all(claim, { workspaceId, ids, deliveryIds, ...lease }) : []
        const byWebhook = Map.groupBy(claimed, ({ target_id }) => target_id)
        for (const webhook of group) claims.push({ webhook, deliveries: byWebhook.get(webhook.id) ?? [] })
      }
      await tx.send(setNextDue(state), { workspaceId, ids, busyUntil: now + BUSY_MS, testEvent: TEST_EVENT })
    }
    return claims
  })
}

/** @param limit how many requests to it may begin */
function getDueState({ state, hold_until }: WebhookTable, limit: number, now: number): DueState {
  if (limit <= 0) return 'busy'
  if (state !== 'active') return 'inactive'
  return hold_until > now ? 'held' : 'active'
}
