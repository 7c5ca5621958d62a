import type { CreatorColumns } from '@reeve/auth'
import { AppError } from '@reeve/core'
import {
  type Conditions,
  type Dialect,
  insertAll,
  type Queries,
  type SelectQuery,
  selectWebhookCreator,
  statement,
  type Transaction,
  updateAll,
  type WebhookStateReason,
  type WebhookTable,
} from '@reeve/db'

export interface WebhookKey {
  readonly workspaceId: string
  readonly id: string
}

/** The order in which transactions lock several webhooks, so that two of them never wait for each other. */
export const compareIds = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1

/** A webhook, and what is known about who created it. */
export interface WebhookRow extends WebhookTable, CreatorColumns {}

const byId = statement<WebhookKey>({ isLookup: true })((sql, p) =>
  selectWebhookCreator(sql)
    .selectAll('webhook')
    .where('webhook.workspace_id', '=', p.workspaceId)
    .where('webhook.id', '=', p.id)
    .where('webhook.deleted_at', 'is', null),
)
const newestFirst = statement<{ workspaceId: string; before: string; limit: number }>()((sql, p) =>
  selectWebhookCreator(sql)
    .selectAll('webhook')
    .where('webhook.workspace_id', '=', p.workspaceId)
    .where('webhook.id', '<', p.before)
    .where('webhook.deleted_at', 'is', null)
    .orderBy('webhook.id', 'desc')
    .limit(p.limit),
)
const insert = statement<WebhookTable>()((sql, p) => insertAll(sql, 'webhook', p))
/** What people change. The health of a webhook is updated while deliveries are sent, so it is left as it is. */
const update = statement<WebhookTable>()((sql, p) =>
  updateAll(sql, 'webhook', p, {
    key: ['workspace_id', 'id'],
    except: [
      'kind',
      'failures',
      'failing_since',
      'last_success_at',
      'last_failure_at',
      'last_status',
      'last_error',
      'hold_until',
      'next_due_at',
      'created_at',
    ],
  }),
)
const resetHealth = statement<WebhookKey>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set({ failures: 0, failing_since: null, hold_until: 0 })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
/** When the first of the deliveries of a webhook that have not ended is due; null if there are none. */
export const selectFirstDue = (eb: Conditions<'webhook'>, workspaceId: string) =>
  eb
    .selectFrom('delivery')
    .select((nested) => nested.fn.min('due_at').as('due_at'))
    .where('delivery.workspace_id', '=', workspaceId)
    .whereRef('delivery.target_id', '=', 'webhook.id')
    .where('delivery.done_at', 'is', null)

/** The deliveries that wait for a webhook become due again. */
const recomputeNextDue = statement<WebhookKey>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({ next_due_at: selectFirstDue(eb, p.workspaceId) }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const clearNextDue = statement<WebhookKey>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set({ next_due_at: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
/** Some webhooks of a workspace. */
export interface WebhookKeys {
  readonly workspaceId: string
  readonly ids: readonly string[]
}

/** Limits a query of webhooks to some of them, and locks them in the order of `compareIds`. */
export const lockWebhooks = <Row>(
  query: SelectQuery<'webhook', Row>,
  { workspaceId, ids }: WebhookKeys,
  dialect: Dialect,
) =>
  query
    .where('workspace_id', '=', workspaceId)
    .where(dialect.inList('id', ids))
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)

/** Nothing is due before a time, or at all. */
export const isNotDue = (eb: Conditions<'webhook'>, at: number) =>
  eb.or([eb('next_due_at', 'is', null), eb('next_due_at', '>', at)])

/** Selects and locks those that nothing is due for before a time. */
const lockNotDue = (eb: Conditions<'webhook'>, keys: WebhookKeys, at: number, dialect: Dialect) =>
  lockWebhooks(eb.selectFrom('webhook').select('id'), keys, dialect).where((nested) => isNotDue(nested, at))

/** Something to send is due now, or once the receiver may be sent to again. */
const markDue = statement<WebhookKeys & { now: number }>({
  isCommutative: true,
})((sql, p, dialect) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({
      next_due_at: eb
        .case()
        .when('hold_until', '>', p.now)
        .then(eb.ref('hold_until'))
        .else(eb.cast<number>(eb.val(p.now), 'bigint'))
        .end(),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where((eb) => eb('id', 'in', lockNotDue(eb, p, p.now, dialect))),
)

const markDueAt = statement<WebhookKeys & { at: number }>({
  isCommutative: true,
})((sql, p, dialect) =>
  sql
    .updateTable('webhook')
    .set({ next_due_at: p.at })
    .where('workspace_id', '=', p.workspaceId)
    .where('state', '=', 'active')
    .where((eb) => eb('id', 'in', lockNotDue(eb, p, p.at, dialect))),
)

/** The webhooks of a workspace that are not deleted, newest first. */
export const listRows = (
  db: Queries,
  page: { readonly workspaceId: string; readonly before: string; readonly limit: number },
): Promise<WebhookRow[]> => db.all(newestFirst, page)

/** @throws AppError `not_found` if it does not exist or is deleted */
export async function requireWebhook(db: Queries, key: WebhookKey): Promise<WebhookRow> {
  const row = await db.first(byId, key)
  if (!row) throw new AppError('not_found')
  return row
}

export const toKey = ({ workspace_id, id }: Pick<WebhookTable, 'workspace_id' | 'id'>): WebhookKey => ({
  workspaceId: workspace_id,
  id,
})

/** Announces a change of a webhook or of one of its deliveries to people who look at it. */
export const announceWebhook = (tx: Transaction, row: Pick<WebhookTable, 'workspace_id' | 'id'>): void =>
  tx.announce({ kind: 'webhook', workspaceId: row.workspace_id, id: row.id })

export async function insertWebhook(tx: Transaction, row: WebhookTable): Promise<void> {
  await tx.run(insert, row)
  announceWebhook(tx, row)
}

/** Stores a changed webhook; the time of its next delivery follows from its state. Nothing is due for a deleted one. */
export async function updateWebhook<Row extends WebhookTable>(
  tx: Transaction,
  before: WebhookTable,
  after: Row,
): Promise<Row> {
  await tx.run(update, after)
  announceWebhook(tx, after)
  if (before.state === after.state && after.deleted_at === null) return after
  if (after.state !== 'active') {
    await tx.run(clearNextDue, toKey(after))
    return { ...after, next_due_at: null }
  }
  await tx.run(resetHealth, toKey(after))
  await tx.run(recomputeNextDue, toKey(after))
  return { ...after, failures: 0, failing_since: null, hold_until: 0 }
}

const markTestDue = statement<WebhookKey & { now: number }>()((sql, p) =>
  sql
    .updateTable('webhook')
    .set({ next_due_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

/** Makes a test delivery due at once, even while `hold_until` of its webhook is in the future. */
export const markTestDeliveryDue = (tx: Transaction, key: WebhookKey, now: number): Promise<number> =>
  tx.run(markTestDue, { ...key, now })

/** Makes the process that delivers look for something to send to these webhooks. */
export async function markDeliveriesDue(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length > 0) await tx.send(markDue, { workspaceId, ids, now })
}

/** Something is due at a later time for these webhooks. */
export async function markDueBy(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
  at: number,
): Promise<void> {
  if (ids.length > 0) await tx.send(markDueAt, { workspaceId, ids, at })
}

export const toInactive = <Row extends WebhookTable>(
  row: Row,
  state: 'paused' | 'disabled',
  reason: WebhookStateReason | null,
  now: number,
): Row => ({ ...row, state, state_reason: reason, updated_at: now, version: row.version + 1 })
