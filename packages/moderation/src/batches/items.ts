import {
  type BatchItemState,
  type BatchItemTable,
  type BatchTable,
  type Queries,
  sqlLiteral,
  statement,
} from '@reeve/db'
import { type ActorChange, readChangesBefore } from './actor-changes.ts'

/** The items of a batch: those to do, those that are done, and those that a reversal gets. */

interface BatchKey {
  readonly workspaceId: string
  readonly batchId: string
}

const pendingItems = statement<BatchKey & { limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('batch_item', 'batch_item_pending'))
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.batchId)
    .where('state', '=', sqlLiteral('pending'))
    .orderBy('number')
    .limit(p.limit),
)
const itemsUpTo = statement<BatchKey & { last: number; limit: number }>()((sql, p) =>
  sql
    .selectFrom('batch_item')
    .select(['number', 'target', 'from_sequence', 'to_sequence', 'state'])
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.batchId)
    .where('number', '<=', p.last)
    .orderBy('number', 'desc')
    .limit(p.limit),
)
const itemCount = statement<BatchKey>()((sql, p) =>
  sql
    .selectFrom('batch_item')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', p.workspaceId)
    .where('batch_id', '=', p.batchId),
)
const resultsAfter = statement<BatchKey & { after: number; limit: number; states: readonly string[] }>()(
  (sql, p, dialect) =>
    sql
      .selectFrom('batch_item')
      .select(['number', 'target', 'state', 'record_id', 'code', 'message'])
      .where('workspace_id', '=', p.workspaceId)
      .where('batch_id', '=', p.batchId)
      .where('number', '>', p.after)
      .where(dialect.inList('state', p.states))
      .orderBy('number')
      .limit(p.limit),
)

const toKey = ({ workspace_id, id }: Pick<BatchTable, 'workspace_id' | 'id'>): BatchKey => ({
  workspaceId: workspace_id,
  batchId: id,
})

/** The next items to do, in order. */
export const listPendingItems = (db: Queries, batch: BatchTable, limit: number): Promise<BatchItemTable[]> =>
  db.all(pendingItems, { ...toKey(batch), limit })

/** A page of results. */
export const listResults = (
  db: Queries,
  batch: BatchTable,
  page: { readonly after: number; readonly limit: number; readonly states: readonly BatchItemState[] },
) => db.all(resultsAfter, { ...toKey(batch), ...page })

export const countItems = async (db: Queries, batch: BatchTable): Promise<number> =>
  Number((await db.first(itemCount, toKey(batch)))?.count ?? 0)

/** An item before it is stored. */
export type NewItem = Pick<BatchItemTable, 'number' | 'target' | 'reverses_from' | 'reverses_to'>

/** Items, and where the next ones start; null at the end. */
export interface ItemPart {
  readonly items: readonly NewItem[]
  readonly next: number | null
}

/** The highest number of an item: a reversal has it, of the first item of the other batch. Where listing the items of a reversal starts. */
export const LAST_NUMBER = Number.MAX_SAFE_INTEGER

/** Items of a reversal that are listed at a time. */
const ITEMS_PER_PART = 250

/** Lists the next items of an undo or a reversal, from a position that the previous part returned. */
export const listNextItems = (db: Queries, batch: BatchTable, position: number): Promise<ItemPart> =>
  batch.kind === 'undo' ? listUndoItems(db, batch, position) : listReversalItems(db, batch, position)

async function listUndoItems(db: Queries, batch: BatchTable, before: number): Promise<ItemPart> {
  const actor = {
    workspaceId: batch.workspace_id,
    actorId: String(batch.target_actor_id),
    since: batch.since ?? 0,
  }
  const { changes, next } = await readChangesBefore(db, actor, before)
  return { items: changes.map((change) => toUndoItem(batch, change)), next }
}

/** Numbered from the newest change of the actor to the oldest. */
const toUndoItem = (
  { until_sequence }: Pick<BatchTable, 'until_sequence'>,
  { sequence, target_id }: ActorChange,
): NewItem => ({
  number: (until_sequence ?? 0) - sequence,
  target: target_id,
  reverses_from: null,
  reverses_to: null,
})

/** The items of the other batch that changed something, from the last one to the first. */
async function listReversalItems(db: Queries, batch: BatchTable, last: number): Promise<ItemPart> {
  const key = { workspaceId: batch.workspace_id, batchId: String(batch.reverses_id) }
  const rows = await db.all(itemsUpTo, { ...key, last, limit: ITEMS_PER_PART })
  const oldest = rows.at(-1)
  return {
    items: rows
      .filter(({ state }) => state === 'succeeded')
      .map(({ number, target, from_sequence, to_sequence }) => ({
        number: LAST_NUMBER - number,
        target,
        reverses_from: from_sequence,
        reverses_to: to_sequence,
      })),
    next: oldest === undefined || rows.length < ITEMS_PER_PART ? null : oldest.number - 1,
  }
}
