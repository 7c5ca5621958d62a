import { MINUTE_MS } from '@reeve/core'
import {
  type DeliveryCursorTable,
  type Queries,
  type Sql,
  statement,
  type Transaction,
  upsertAll,
  type WebhookTable,
} from '@reeve/db'
import { ENTRY_COLUMNS } from './select-events.ts'

/** The name of the webhooks among the consumers of the audit log. */
const CONSUMER = 'webhooks'

/** The name under which is stored how far the expiries were reported when a clock that was ahead was set back. */
const REPORTED_AHEAD = 'webhooks ahead'

/** How much the clocks of processes may differ. A time further in the future is from before a clock was set back. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS

export interface CursorStart {
  readonly workspaceId: string
  /** That of the change that made a webhook active. */
  readonly sequence: number
  readonly epoch: string
  readonly now: number
}

const insertCursor = statement<CursorStart & { consumer: string }>({ isCommutative: true })((sql, p) =>
  sql
    .insertInto('delivery_cursor')
    .values({
      workspace_id: p.workspaceId,
      consumer: p.consumer,
      sequence: p.sequence,
      epoch: p.epoch,
      expired_until: p.now,
      expired_id: null,
    })
    .onConflict((conflict) => conflict.doNothing()),
)
/** Skips what happened while no webhook was active. A time from before a clock was set back stays, so that this is still noticed. */
const skip = statement<CursorStart & { consumer: string; maxExpired: number }>({ isCommutative: true })(
  (sql, p) =>
    sql
      .updateTable('delivery_cursor')
      .set((eb) => ({
        sequence: p.sequence,
        epoch: p.epoch,
        expired_until: eb
          .case()
          .when('expired_until', '>', eb.cast<number>(eb.val(p.maxExpired), 'bigint'))
          .then(eb.ref('expired_until'))
          .else(eb.cast<number>(eb.val(p.now), 'bigint'))
          .end(),
        expired_id: null,
      }))
      .where('workspace_id', '=', p.workspaceId)
      .where('consumer', '=', p.consumer),
)
const otherActive = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql
    .selectFrom('webhook')
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('state', '=', 'active')
    .where('active_since', '<', p.sequence)
    .limit(1),
)

const cursorByWorkspace = statement<{ workspaceId: string; consumer: string }>({ isLookup: true })((sql, p) =>
  sql
    .selectFrom('delivery_cursor')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('consumer', '=', p.consumer),
)
const selectActive = (sql: Sql, p: { workspaceId: string }) =>
  sql
    .selectFrom('webhook')
    .where('workspace_id', '=', p.workspaceId)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
const activeWebhooks = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  selectActive(sql, p).selectAll(),
)
const SUBSCRIPTION_COLUMNS = ['workspace_id', 'id', 'kind', 'events', 'active_since', 'failures'] as const
/** The part of a webhook that decides which events it gets, and when. */
export type SubscribedWebhook = Pick<WebhookTable, (typeof SUBSCRIPTION_COLUMNS)[number]>
const subscribedWebhooks = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  selectActive(sql, p).select(SUBSCRIPTION_COLUMNS),
)
const anyActive = statement<{ workspaceId: string }>({ isLookup: true })((sql, p) =>
  selectActive(sql, p).select('id').limit(1),
)
const upsertCursor = statement<Cursor>({ isCommutative: true })((sql, p) =>
  upsertAll(sql, 'delivery_cursor', p, ['workspace_id', 'consumer']),
)
const cursorPage = statement<{ consumer: string; after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('delivery_cursor')
    .select('workspace_id')
    .where('consumer', '=', p.consumer)
    .where('workspace_id', '>', p.after)
    .orderBy('workspace_id')
    .limit(p.limit),
)

/** Moves a cursor on, unless another process has done so. */
export const advanceCursor = statement<{
  workspaceId: string
  consumer: string
  epoch: string
  fromSequence: number
  fromExpired: number
  fromExpiredId: string | null
  sequence: number
  expiredUntil: number
  expiredId: string | null
}>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('delivery_cursor')
    .set({ sequence: p.sequence, expired_until: p.expiredUntil, expired_id: p.expiredId })
    .where('workspace_id', '=', p.workspaceId)
    .where('consumer', '=', p.consumer)
    .where('epoch', '=', p.epoch)
    .where('sequence', '=', p.fromSequence)
    .where('expired_until', '=', p.fromExpired)
    .where('expired_id', 'is not distinct from', p.fromExpiredId),
)

/** Moves a cursor to the head of another history, unless another process has done so. */
export const moveCursor = statement<{
  workspaceId: string
  consumer: string
  from: string
  epoch: string
  sequence: number
  now: number
}>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('delivery_cursor')
    .set({ epoch: p.epoch, sequence: p.sequence, expired_until: p.now, expired_id: null })
    .where('workspace_id', '=', p.workspaceId)
    .where('consumer', '=', p.consumer)
    .where('epoch', '=', p.from),
)

/** The oldest entries of the audit log after a sequence. */
export const nextEntries = statement<{ workspaceId: string; after: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(ENTRY_COLUMNS)
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '>', p.after)
    .orderBy('sequence')
    .limit(p.limit),
)

export type Cursor = DeliveryCursorTable

/** How far the audit log of a workspace was read; undefined if it never had a webhook. */
export const findCursor = (db: Queries, workspaceId: string): Promise<Cursor | undefined> =>
  db.first(cursorByWorkspace, { workspaceId, consumer: CONSUMER })

/**
 * How far the expiries were reported before a clock that was ahead was set back: those up to this time, of the sanctions that have not
 * changed since this sequence, to the webhooks that were active then. Undefined if that never happened in this history.
 */
export async function findReportedAhead(db: Queries, cursor: Cursor): Promise<Cursor | undefined> {
  const ahead = await db.first(cursorByWorkspace, {
    workspaceId: cursor.workspace_id,
    consumer: REPORTED_AHEAD,
  })
  return ahead?.epoch === cursor.epoch ? ahead : undefined
}

/** Looks for expiries from now on again, and stores how far they were reported. @returns false if another process has moved the cursor */
export async function rewindCursor(tx: Transaction, cursor: Cursor, now: number): Promise<boolean> {
  const advanced = await tx.run(advanceCursor, {
    workspaceId: cursor.workspace_id,
    consumer: cursor.consumer,
    epoch: cursor.epoch,
    fromSequence: cursor.sequence,
    fromExpired: cursor.expired_until,
    fromExpiredId: cursor.expired_id,
    sequence: cursor.sequence,
    expiredUntil: now,
    expiredId: null,
  })
  if (advanced === 0) return false
  await tx.run(upsertCursor, { ...cursor, consumer: REPORTED_AHEAD })
  return true
}

/** The webhooks of a workspace that receive events. */
export const listActive = (db: Queries, workspaceId: string): Promise<WebhookTable[]> =>
  db.all(activeWebhooks, { workspaceId })

/** The webhooks of a workspace that receive events, as much of them as dispatching an event needs. */
export const listSubscribedWebhooks = (db: Queries, workspaceId: string): Promise<SubscribedWebhook[]> =>
  db.all(subscribedWebhooks, { workspaceId })

/** Whether any webhook of a workspace receives events. */
export const hasActive = async (db: Queries, workspaceId: string): Promise<boolean> =>
  (await db.first(anyActive, { workspaceId })) !== undefined

const WORKSPACES_PER_PAGE = 1000

/** The workspaces that have, or had, webhooks. */
export async function listDispatchedWorkspaces(db: Queries): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ; ) {
    const rows = await db.all(cursorPage, { consumer: CONSUMER, after, limit: WORKSPACES_PER_PAGE })
    ids.push(...rows.map((row) => row.workspace_id))
    if (rows.length < WORKSPACES_PER_PAGE) return ids
    after = rows.at(-1)?.workspace_id ?? ''
  }
}

/** Starts reading the audit log at a sequence, unless another webhook of the workspace still waits for earlier changes. */
export async function startCursor(tx: Transaction, start: CursorStart): Promise<void> {
  const cursor = { ...start, consumer: CONSUMER }
  const inserted = await tx.run(insertCursor, cursor)
  if (inserted > 0 || (await tx.first(otherActive, start))) return
  // The change itself is not skipped: the expiries reported until then, by whatever clock, were not sent to the webhook that it made active.
  const sequence = start.sequence - 1
  await tx.run(skip, { ...cursor, sequence, maxExpired: start.now + MAX_CLOCK_DIFFERENCE_MS })
}
