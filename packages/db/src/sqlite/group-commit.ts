import { AppError } from '@reeve/core'
import type { DatabaseStats, DataChange, Transaction } from '../database.ts'
import { MAX_QUEUED_WRITES, queueFullError, reportUncaught } from '../errors.ts'
import type { OpenTransaction } from '../open-transaction.ts'
import { createTimeSlicer, waitForNextTurn } from '../yield-to-event-loop.ts'
import { isDiskFull, isFsyncFailure, isStorageFailure, toSqliteUnavailable } from './errors.ts'

/**
 * The maximum number of transactions per commit. A commit blocks the event loop while it writes. With 32 instead of
 * 16, transactions need half as many syncs and write a fifth fewer pages; 64 save little more and block twice as long.
 */
const MAX_BATCH = 32
/** A batch ends early once its transactions have taken this long, in milliseconds: a COMMIT writes all images of a batch at once. */
const MAX_BATCH_MS = 4

interface QueuedUnit {
  readonly run: (options: { readonly hasSavepoint: boolean }) => Promise<void>
  /** As it has run last. */
  transaction: OpenTransaction | null
  settle: () => void
  readonly fail: (error: unknown) => void
}

/** A transaction of the batch failed after it had changed something, and had no savepoint to roll back to. */
class TransactionAborted extends Error {}

/** The steps of the engine around the transactions of a batch. */
export interface CommitSteps {
  readonly begin: () => void
  /**
   * Resolves when the batch is on the disk, from when on reads see it. The event loop runs meanwhile.
   * @param hasChanged false if there is nothing to wait for
   */
  readonly commit: (hasChanged: boolean) => Promise<void>
  readonly rollback: () => void
  /** Checkpoints the WAL where it is large enough. Writes wait for it. */
  readonly checkpoint: () => Promise<void>
  /** Checkpoints the whole WAL and truncates its file. */
  readonly truncateWal: () => Promise<void>
  readonly savepoint: () => void
  readonly release: () => void
  readonly rollbackToSavepoint: () => void
  readonly transaction: (announce: (change: DataChange) => void) => OpenTransaction
  readonly onCommit: (changes: readonly DataChange[]) => void
}

/**
 * Group commit for an engine with a single writer: queued transactions share one transaction of the engine, and resolve after
 * its COMMIT. A failed one is rolled back alone: if it had changed something, the whole batch runs again, each transaction in
 * its own savepoint. A savepoint copies every page that changes in it; using one for every transaction took a third of the
 * time of a write.
 */
export function createWriteQueue(steps: CommitSteps) {
  const waiting: QueuedUnit[] = []
  let running: Promise<void> | null = null
  let committed = 0
  let hasFailed = false
  const { promise: fatalError, resolve: reportFatalError } = Promise.withResolvers<Error>()

  /** Runs the transactions that have waited longest, and commits them. */
  async function runBatch(): Promise<void> {
    const batch: QueuedUnit[] = []
    try {
      if (hasFailed) throw new AppError('unavailable')
      await runUnits(batch)
      await steps.commit(batch.some(({ transaction }) => transaction?.hasChanged))
    } catch (error) {
      stopOnFsyncFailure(error)
      steps.rollback()
      // None has run if the batch could not begin.
      if (batch.length === 0) batch.push(...waiting.splice(0, MAX_BATCH))
      const reason = isStorageFailure(error) ? toSqliteUnavailable(error) : error
      for (const unit of batch) unit.fail(reason)
      // Checkpoints normally run after a commit. With a full disk no commit succeeds, so the WAL would keep the disk full.
      if (isDiskFull(error)) await tryCheckpoint(steps.truncateWal)
      return
    }
    for (const unit of batch) settleUnit(unit)
    await tryCheckpoint(steps.checkpoint)
  }

  /** Moves transactions from the queue to the batch and runs them, in slices, so that reads run in between. */
  async function runUnits(batch: QueuedUnit[]): Promise<void> {
    const yieldIfDue = createTimeSlicer(waitForNextTurn)
    try {
      steps.begin()
      for (let duration = 0; batch.length < MAX_BATCH && duration < MAX_BATCH_MS; ) {
        const unit = waiting.shift()
        if (!unit) break
        batch.push(unit)
        const startedAt = performance.now()
        await unit.run({ hasSavepoint: false })
        duration += performance.now() - startedAt
        await yieldIfDue()
      }
    } catch (error) {
      if (!(error instanceof TransactionAborted)) throw error
      steps.rollback()
      steps.begin()
      for (const unit of batch) {
        await unit.run({ hasSavepoint: true })
        await yieldIfDue()
      }
    }
  }

  /** Rejects all writes once an fsync has failed. */
  function stopOnFsyncFailure(error: unknown): void {
    if (!(error instanceof Error && isFsyncFailure(error))) return
    hasFailed = true
    reportFatalError(error)
  }

  async function tryCheckpoint(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      handleCheckpointFailure(error)
    }
  }

  /** After a failed checkpoint the pages are still safe in the WAL. The next commit tries again. */
  function handleCheckpointFailure(error: unknown): void {
    stopOnFsyncFailure(error)
    if (!isStorageFailure(error)) reportUncaught(error)
  }

  /** An error of a listener is reported as uncaught, and affects no other transaction. */
  function settleUnit(unit: QueuedUnit): void {
    try {
      unit.settle()
    } catch (error) {
      reportUncaught(error)
    }
  }

  async function drain(): Promise<void> {
    // Writes that arrive in the same turn of the event loop share the commit.
    await waitForNextTurn()
    while (waiting.length > 0) {
      await runBatch()
      await waitForNextTurn()
    }
    running = null
  }

  /** @throws AppError `unavailable` where the queue is full */
  function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (waiting.length >= MAX_QUEUED_WRITES) return Promise.reject(queueFullError())
    return new Promise<Result>((resolve, reject) => {
      const queued: QueuedUnit = { run, transaction: null, settle: () => {}, fail: reject }
      async function run({ hasSavepoint }: { readonly hasSavepoint: boolean }): Promise<void> {
        const changes: DataChange[] = []
        const tx = steps.transaction((change) => changes.push(change))
        queued.transaction = tx
        if (hasSavepoint) steps.savepoint()
        try {
          const result = await unit(tx)
          if (hasSavepoint) steps.release()
          queued.settle = () => {
            committed += 1
            // The caller continues in a later microtask, so listeners run before it.
            resolve(result)
            steps.onCommit(changes)
          }
        } catch (error) {
          // SQLite may have rolled back the transaction by itself: then the whole batch is lost.
          if (isStorageFailure(error)) throw error
          if (hasSavepoint) steps.rollbackToSavepoint()
          else if (tx.hasChanged) throw new TransactionAborted()
          queued.settle = () => reject(error)
        } finally {
          tx.end()
        }
      }
      waiting.push(queued)
      running ??= drain()
    })
  }

  return {
    write,
    fatalError,
    handleCheckpointFailure,
    stats: (): DatabaseStats => ({ committed, waiting: waiting.length, connections: null }),
    /** Resolves when the queue is empty and nothing runs. */
    idle: async () => {
      while (running !== null) await running
    },
  }
}
