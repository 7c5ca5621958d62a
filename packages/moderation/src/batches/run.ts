import { loadActor, parseActor } from '@reeve/auth'
import {
  type Actor,
  AppError,
  doWork,
  hasErrorCode,
  LOWEST_ID,
  type Ports,
  requirePermission,
  UNEXPECTED_ERROR,
} from '@reeve/core'
import {
  type BatchItemTable,
  type BatchTable,
  createClaim,
  createRelease,
  type Database,
  getLeaseBounds,
  type Queries,
  statement,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { assertModerationOn, assertNotArchived } from '../assert-writable.ts'
import { applyItem, type ItemBatch, type ItemOutcome, parseItemBatch } from './apply-item.ts'
import { announceBatch, endBatch, insertItems, requireBatch, saveBatch, saveItem } from './batch-store.ts'
import { countItems, listNextItems, listPendingItems } from './items.ts'
import { describeFailure } from './results.ts'

/** Across workspaces: the batch that was requested first. */
const nextBatch = statement<{ after: string }>({ isCommutative: true })((sql, p, dialect) =>
  sql
    .selectFrom(dialect.withIndexHint('batch', 'batch_unfinished'))
    .selectAll()
    .where('finished_at', 'is', null)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(1),
)
const claim = createClaim('batch')
const release = createRelease('batch')
/** Locks the row, so that a cancellation and an item exclude each other. */
const beat = statement<{ workspaceId: string; id: string; runner: string; now: number }>()((sql, p) =>
  sql
    .updateTable('batch')
    .set({ heartbeat_at: p.now })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('runner', '=', p.runner)
    .where('finished_at', 'is', null),
)

const ITEMS_PER_READ = 100
/** How often the progress is announced at most. */
const ANNOUNCE_MS = 500

export interface BatchRunOptions {
  readonly db: Database
  readonly ports: Ports
  /** Names this process. */
  readonly runner: string
  /** Aborted at shutdown: the batch stops after the current item, and continues later. */
  readonly signal: AbortSignal
}

/** The batch was cancelled, belongs to another process, or this process is stopping. */
class BatchStopped extends Error {}

/**
 * Runs batches from where they were interrupted until none is left that this process can run: one of the instance at a time, the one
 * that was requested first.
 * @throws the first error that is not about a batch, after those that follow; a batch that has not ended continues with the next call
 */
export async function runBatches(options: BatchRunOptions): Promise<void> {
  await doWork<BatchTable>(options.signal, {
    findNext: (failed) => claimNextBatch(options, failed?.id),
    run: (batch) => runToEnd(options, batch),
    describe: ({ id, workspace_id }) => `the batch ${id} in workspace ${workspace_id}`,
  })
}

/** @throws an error that is not about the batch */
async function runToEnd(options: BatchRunOptions, batch: BatchTable): Promise<void> {
  try {
    await runBatch(options, batch)
  } catch (error) {
    if (!(error instanceof BatchStopped)) throw error
    const { workspace_id: workspaceId, id } = batch
    await options.db.write((tx) => tx.run(release, { workspaceId, id, runner: options.runner }))
  }
}

/** @param after only batches that were requested after the one with this ID */
async function claimNextBatch(
  { db, ports, runner }: BatchRunOptions,
  after = LOWEST_ID,
): Promise<BatchTable | null> {
  if (!(await db.read.first(nextBatch, { after }))) return null
  const bounds = getLeaseBounds(db, ports.now())
  return db.write(async (tx) => {
    const next = await tx.first(nextBatch, { after })
    if (!next) return null
    const key = { workspaceId: next.workspace_id, id: next.id }
    if ((await tx.run(claim, { ...key, runner, ...bounds })) === 0) return null
    announceBatch(tx, next)
    return requireBatch(tx, key.workspaceId, key.id)
  })
}

async function runBatch(options: BatchRunOptions, claimed: BatchTable): Promise<void> {
  let batch = claimed
  try {
    batch = await listItems(options, batch)
    const itemBatch = parseItemBatch(batch)
    const progress = { announcedAt: performance.now() }
    for (;;) {
      const items = await listPendingItems(options.db.read, batch, ITEMS_PER_READ)
      for (const item of items) batch = await runItem(options, batch, itemBatch, item, progress)
      if (items.length < ITEMS_PER_READ) break
    }
    await end(options, batch, { state: 'succeeded' })
  } catch (error) {
    const isAppError = error instanceof AppError
    if (error instanceof BatchStopped || hasErrorCode(error, 'unavailable')) throw error
    // A batch that fails must not keep those after it from running.
    await end(options, batch, { state: 'failed', error: isAppError ? error.message : UNEXPECTED_ERROR })
    if (!isAppError || error.code === 'internal_error') throw error
  }
}

/** Lists the items of an undo or a reversal, part by part. */
async function listItems(options: BatchRunOptions, claimed: BatchTable): Promise<BatchTable> {
  let batch = claimed
  while (batch.position !== null) {
    const { items, next } = await listNextItems(options.db.read, batch, batch.position)
    const current: BatchTable = { ...batch, position: next }
    batch = await write(options, current, async (tx) => {
      await insertItems(tx, current, items)
      const row = next === null ? { ...current, total: await countItems(tx, current) } : current
      await saveBatch(tx, row)
      return row
    })
    await yieldToEventLoop()
  }
  return batch
}

/** Does an item and notes its result in one transaction, so that an interruption neither loses nor repeats it. */
async function runItem(
  options: BatchRunOptions,
  batch: BatchTable,
  itemBatch: ItemBatch,
  item: BatchItemTable,
  progress: { announcedAt: number },
): Promise<BatchTable> {
  const { ports } = options
  const saveOutcome = async (tx: Transaction, outcome: ItemOutcome): Promise<BatchTable> => {
    const row = addOutcome(batch, outcome, ports.now())
    await saveItem(tx, item, outcome)
    await saveBatch(tx, row)
    if (performance.now() - progress.announcedAt >= ANNOUNCE_MS) announceBatch(tx, row)
    return row
  }
  let row: BatchTable
  try {
    row = await write(options, batch, async (tx, actor) =>
      saveOutcome(tx, await applyItem(tx, ports, actor, itemBatch, item)),
    )
  } catch (error) {
    if (error instanceof BatchStopped || error instanceof AccessLost) throw error
    const outcome = describeFailure(error)
    row = await write(options, batch, (tx) => saveOutcome(tx, outcome))
  }
  if (performance.now() - progress.announcedAt >= ANNOUNCE_MS) progress.announcedAt = performance.now()
  await yieldToEventLoop()
  return row
}

const addOutcome = (batch: BatchTable, { state }: ItemOutcome, now: number): BatchTable => ({
  ...batch,
  heartbeat_at: now,
  succeeded: batch.succeeded + (state === 'succeeded' ? 1 : 0),
  unchanged: batch.unchanged + (state === 'unchanged' ? 1 : 0),
  failed: batch.failed + (state === 'failed' ? 1 : 0),
})

/** The batch cannot go on: an error of the batch and not of an item. */
class AccessLost extends AppError {}

/**
 * Runs a transaction of a batch, with the permissions that its actor has now.
 * @throws BatchStopped, AccessLost
 */
async function write<Result>(
  { db, ports, runner, signal }: BatchRunOptions,
  batch: BatchTable,
  unit: (tx: Transaction, actor: Actor) => Promise<Result>,
): Promise<Result> {
  if (signal.aborted) throw new BatchStopped()
  const { workspace_id: workspaceId, id } = batch
  return db.write(async (tx) => {
    const now = ports.now()
    if ((await tx.run(beat, { workspaceId, id, runner, now })) === 0) throw new BatchStopped()
    return unit(tx, await loadPermittedActor(tx, ports, batch))
  })
}

async function loadPermittedActor(tx: Queries, ports: Ports, batch: BatchTable): Promise<Actor> {
  try {
    await assertNotArchived(tx, batch.workspace_id)
    await assertModerationOn(tx, batch.workspace_id)
    const actor = await loadActor(tx, ports, batch)
    requirePermission(actor, 'moderation.bulk')
    return actor
  } catch (error) {
    if (error instanceof AppError) throw new AccessLost(error.code, error.options)
    throw error
  }
}

/** Ends the batch, unless it has been cancelled or belongs to another process. */
const end = (
  { db, ports, runner }: BatchRunOptions,
  batch: BatchTable,
  result: Partial<BatchTable>,
): Promise<void> =>
  db.write(async (tx) => {
    const { workspace_id: workspaceId, id } = batch
    if ((await tx.run(beat, { workspaceId, id, runner, now: ports.now() })) === 0) throw new BatchStopped()
    await endBatch(tx, ports, parseActor(batch), batch, { ...batch, ...result })
  })
