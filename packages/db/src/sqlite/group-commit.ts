import { AppError } from '@reeve/core'
import type { DatabaseStats, DataChange, Transaction } from '../database.ts'
import { MAX_QUEUED_WRITES, queueFullError, reportUncaught } from '../errors.ts'
import type { OpenTransaction } from '../open-transaction.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { isDiskFull, isFsyncFailure, isStorageFailure, toSqliteUnavailable } from './errors.ts'

/**
 * How many units share one commit at the most. A commit holds the event loop for as long as it writes: 4 ms for 64 units,
 * 1 ms for 16, which still write nine tenths as much in a second.
 */
const MAX_BATCH = 16
/** How long units may keep the event loop to themselves, in milliseconds: then whoever reads has a turn. */
const MAX_SLICE_MS = 0.5

interface QueuedUnit {
  readonly run: (hasSavepoint: boolean) => Promise<void>
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** A unit failed after it had changed something, and nothing marks where it began. */
class TransactionAborted extends Error {}

/** What the engine does around units. */
export interface CommitSteps {
  readonly begin: () => void
  readonly commit: () => void
  readonly rollback: () => void
  /** Takes what commits left in the engine's log into the database, where there is enough of it; writing waits for it. */
  readonly checkpoint: () => Promise<void>
  /** Takes all of it in, and gives the room of the log back to the disk. */
  readonly truncateWal: () => Promise<void>
  readonly savepoint: () => void
  readonly release: () => void
  readonly rollbackToSavepoint: () => void
  readonly transaction: (announce: (change: DataChange) => void) => OpenTransaction
  readonly onCommit: (changes: readonly DataChange[]) => void
}

/**
 * Group commit for an engine with one writer: the units that wait share a transaction, and everyone is answered after the
 * COMMIT. One that fails undoes itself alone: where it had changed something, all of them run again, each in a savepoint of
 * its own. A savepoint copies every page that changes in it, so that having one for every unit took a third of a write.
 */
export function createWriteQueue(steps: CommitSteps) {
  const waiting: QueuedUnit[] = []
  let running: Promise<void> | null = null
  let committed = 0
  let hasFailed = false
  const { promise: fatalError, resolve: reportFatalError } = Promise.withResolvers<Error>()

  async function runBatch(batch: readonly QueuedUnit[]): Promise<void> {
    try {
      if (hasFailed) throw new AppError('unavailable')
      await runUnits(batch)
      steps.commit()
    } catch (error) {
      stopOnFsyncFailure(error)
      steps.rollback()
      const reason = isStorageFailure(error) ? toSqliteUnavailable(error) : error
      for (const unit of batch) unit.fail(reason)
      // A log that fills the disk would otherwise keep it full: it is folded after a commit, and none would succeed.
      if (isDiskFull(error)) await tryCheckpoint(steps.truncateWal)
      return
    }
    for (const unit of batch) settleUnit(unit)
    await tryCheckpoint(steps.checkpoint)
  }

  async function runUnits(batch: readonly QueuedUnit[]): Promise<void> {
    try {
      steps.begin()
      await runInSlices(batch, (unit) => unit.run(false))
    } catch (error) {
      if (!(error instanceof TransactionAborted)) throw error
      steps.rollback()
      steps.begin()
      await runInSlices(batch, (unit) => unit.run(true))
    }
  }

  /** Nothing is written any more once the disk has failed to confirm a write. */
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

  /** What cannot be folded now stays in the log, where it is safe, and is tried again after the next commit. */
  function handleCheckpointFailure(error: unknown): void {
    stopOnFsyncFailure(error)
    if (!isStorageFailure(error)) reportUncaught(error)
  }

  /** What listens may fail: that is reported as any uncaught error, and stops neither the answers nor later units. */
  function settleUnit(unit: QueuedUnit): void {
    try {
      unit.settle()
    } catch (error) {
      reportUncaught(error)
    }
  }

  async function drain(): Promise<void> {
    // What else arrives in this turn of the event loop shares the commit.
    await yieldToEventLoop()
    while (waiting.length > 0) {
      await runBatch(waiting.splice(0, MAX_BATCH))
      await yieldToEventLoop()
    }
    running = null
  }

  /** @throws AppError `unavailable` where too many units wait already */
  function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (waiting.length >= MAX_QUEUED_WRITES) return Promise.reject(queueFullError())
    return new Promise<Result>((resolve, reject) => {
      let settle = () => {}
      const run = async (hasSavepoint: boolean) => {
        const changes: DataChange[] = []
        const { tx, hasChanged, end } = steps.transaction((change) => changes.push(change))
        if (hasSavepoint) steps.savepoint()
        try {
          const result = await unit(tx)
          if (hasSavepoint) steps.release()
          settle = () => {
            committed += 1
            // Whoever waits runs on only after this, so listeners are told first whichever way round it stands.
            resolve(result)
            steps.onCommit(changes)
          }
        } catch (error) {
          // The engine may have ended the transaction by itself: then it is gone for everyone in it.
          if (isStorageFailure(error)) throw error
          if (hasSavepoint) steps.rollbackToSavepoint()
          else if (hasChanged()) throw new TransactionAborted()
          settle = () => reject(error)
        } finally {
          end()
        }
      }
      waiting.push({ run, settle: () => settle(), fail: reject })
      running ??= drain()
    })
  }

  return {
    write,
    fatalError,
    handleCheckpointFailure,
    stats: (): DatabaseStats => ({ committed, waiting: waiting.length }),
    /** Resolves when nothing waits or runs. */
    idle: async () => {
      while (running !== null) await running
    },
  }
}

/** Does something for one after the other, and lets the event loop turn in between. */
async function runInSlices<Item>(items: readonly Item[], step: (item: Item) => Promise<void>): Promise<void> {
  let startedAt = performance.now()
  for (const item of items) {
    await step(item)
    if (performance.now() - startedAt < MAX_SLICE_MS) continue
    await yieldToEventLoop()
    startedAt = performance.now()
  }
}
