import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, countStoredBytes, type Ports } from '@reeve/core'
import {
  type BatchItemTable,
  type BatchTable,
  insertAll,
  type Queries,
  statement,
  type Transaction,
  updateAll,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'

interface Key {
  readonly workspaceId: string
  readonly id: string
}

const byId = statement<Key>({ isLookup: true })((sql, p) =>
  sql.selectFrom('batch').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const insert = statement<BatchTable>()((sql, p) => insertAll(sql, 'batch', p))
const update = statement<BatchTable>()((sql, p) =>
  updateAll(sql, 'batch', p, {
    key: ['workspace_id', 'id'],
    except: [
      'kind',
      'action',
      'target_actor_id',
      'since',
      'until_sequence',
      'reverses_id',
      'actor',
      'created_at',
      'reversed_by_id',
    ],
  }),
)
const setReversedBy = statement<Key & { reversedById: string | null }>()((sql, p) =>
  sql
    .updateTable('batch')
    .set({ reversed_by_id: p.reversedById })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
const insertItem = statement<BatchItemTable>()((sql, p) =>
  insertAll(sql, 'batch_item', p).onConflict((conflict) =>
    conflict.columns(['workspace_id', 'batch_id', 'target']).doNothing(),
  ),
)
const updateItem = statement<BatchItemTable>()((sql, p) =>
  updateAll(sql, 'batch_item', p, {
    key: ['workspace_id', 'batch_id', 'number'],
    except: ['target', 'reverses_from', 'reverses_to'],
  }),
)
const unfinished = statement<{ workspaceId: string; limit: number }>()((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('batch', 'batch_unfinished'))
    .select('id')
    .where('workspace_id', '=', p.workspaceId)
    .where('finished_at', 'is', null)
    .limit(p.limit),
)

/** How many batches of a workspace can wait or run at a time. */
const MAX_UNFINISHED = 10

/** Returns a batch of the workspace. @throws AppError `not_found` */
export async function requireBatch(db: Queries, workspaceId: string, id: string): Promise<BatchTable> {
  const row = await db.first(byId, { workspaceId, id })
  if (!row) throw new AppError('not_found')
  return row
}

/** @throws AppError `conflict` while too many batches of the workspace have not ended */
export async function assertCanQueue(db: Queries, workspaceId: string): Promise<void> {
  const rows = await db.all(unfinished, { workspaceId, limit: MAX_UNFINISHED })
  if (rows.length < MAX_UNFINISHED) return
  throw new AppError('conflict', {
    message: `${MAX_UNFINISHED} batches of this workspace have not ended. Wait for one, or cancel it.`,
  })
}

/** Stores a new batch, its audit entry and its announcement, which wakes the process that runs it. */
export async function insertBatch(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  row: BatchTable,
): Promise<void> {
  await tx.run(insert, row)
  await recordBatchChange(tx, ports, actor, 'create', null, row)
}

/** Appends a change of a batch to the audit log, and announces it. */
async function recordBatchChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  verb: 'create' | 'cancel' | 'finish',
  before: BatchTable | null,
  after: BatchTable,
): Promise<void> {
  await appendAuditEntry(tx, ports, actor, {
    action: `batches.${verb}`,
    target: { kind: 'batch', id: after.id },
    before: before && toSnapshot(before),
    after: toSnapshot(after),
    chain: after.workspace_id,
  })
  announceBatch(tx, after)
}

/** Without the texts of the action: the records have them, and a redaction finds them there. */
const toSnapshot = (row: BatchTable) => ({
  kind: row.kind,
  action: row.action,
  state: row.state,
  total: String(row.total),
  succeeded: String(row.succeeded),
  unchanged: String(row.unchanged),
  failed: String(row.failed),
  undoneActorId: row.target_actor_id,
  reverses: row.reverses_id,
  error: row.error,
})

export const announceBatch = (tx: Transaction, { workspace_id, id }: BatchTable): void =>
  tx.announce({ kind: 'batch', workspaceId: workspace_id, id })

export const saveBatch = (tx: Transaction, row: BatchTable): Promise<number> => tx.run(update, row)

/** Notes which batch has reversed another; null if it could not. */
export const markReversed = (
  tx: Transaction,
  workspaceId: string,
  id: string,
  reversedById: string | null,
): Promise<number> => tx.run(setReversedBy, { workspaceId, id, reversedById })

/** Stores what became of an item. */
export async function saveItem(
  tx: Transaction,
  before: BatchItemTable,
  outcome: Partial<BatchItemTable>,
): Promise<void> {
  const row = { ...before, ...outcome }
  await tx.run(updateItem, row)
  const addedBytes = countItemBytes(row) - countItemBytes(before)
  await changeStorage(tx, row.workspace_id, 'records', addedBytes)
}

const countItemBytes = ({ target, message }: Pick<BatchItemTable, 'target' | 'message'>): number =>
  countStoredBytes(target, message)

type NewItem = Pick<BatchItemTable, 'number' | 'target'> &
  Partial<Pick<BatchItemTable, 'reverses_from' | 'reverses_to'>>

/** Adds targets to a batch. One that it has already is left out. */
export async function insertItems(
  tx: Transaction,
  { workspace_id, id }: Pick<BatchTable, 'workspace_id' | 'id'>,
  items: readonly NewItem[],
): Promise<void> {
  let addedBytes = 0
  for (const item of items) {
    const inserted = await tx.run(insertItem, {
      workspace_id,
      batch_id: id,
      reverses_from: null,
      reverses_to: null,
      ...item,
      state: 'pending',
      record_id: null,
      from_sequence: null,
      to_sequence: null,
      code: null,
      message: null,
    })
    if (inserted > 0) addedBytes += countItemBytes({ ...item, message: null })
  }
  await changeStorage(tx, workspace_id, 'records', addedBytes)
}

/**
 * Ends a batch. What did not succeed can be reversed again later; the texts of the action are deleted.
 * @param after the batch with its last counts
 */
export async function endBatch(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  before: BatchTable,
  after: BatchTable,
): Promise<void> {
  const row = { ...after, input: null, runner: null, heartbeat_at: null, finished_at: ports.now() }
  await saveBatch(tx, row)
  if (row.reverses_id !== null && row.state !== 'succeeded')
    await markReversed(tx, row.workspace_id, row.reverses_id, null)
  await recordBatchChange(tx, ports, actor, row.state === 'cancelled' ? 'cancel' : 'finish', before, row)
}
