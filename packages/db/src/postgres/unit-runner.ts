import type { DataChange, Transaction } from '../database.ts'
import { MAX_QUEUED_WRITES, queueFullError, reportUncaught, toUnavailable, toUnconfirmed } from '../errors.ts'
import { OpenTransaction } from '../open-transaction.ts'
import { isRetryable, isServerError } from './errors.ts'
import { LockOutOfOrder } from './locks.ts'
import {
  CommitUnconfirmed,
  createTransaction,
  TransactionAborted,
  type TransactionOptions,
  type TransactionParts,
} from './transaction.ts'

/** The maximum number of attempts after conflicts with other transactions and lost connections. */
const MAX_ATTEMPTS = 6
/** The base of the exponential backoff with jitter between attempts, in milliseconds. */
const BACKOFF_MS = 20

interface ChangeListeners {
  /** Gets the changes of each commit. */
  readonly onCommitted: (changes: readonly DataChange[]) => void
  /** Gets the changes of a commit whose outcome is unknown: the server may have made them, or may still do so. */
  readonly onUnconfirmed: (changes: readonly DataChange[]) => void
}

interface UnitResult<Result> {
  readonly result: Result
  readonly changes: readonly DataChange[]
}

/**
 * Runs each function of `write` in its own transaction: concurrently for different workspaces, in sequence for the same one,
 * across all replicas. Retries after conflicts and lost connections.
 */
export function createUnitRunner(parts: TransactionParts, { onCommitted, onUnconfirmed }: ChangeListeners) {
  let committed = 0
  let waiting = 0
  const idle: (() => void)[] = []

  async function runOnce<Result>(
    unit: (tx: Transaction) => Promise<Result>,
    options: TransactionOptions,
  ): Promise<UnitResult<Result>> {
    const changes: DataChange[] = []
    const transaction = createTransaction(parts, options)
    const tx = new OpenTransaction(
      transaction.queries,
      (statement) => parts.prepare(statement).compiled.isWrite,
      (change) => changes.push(change),
    )
    let isCommitted = false
    try {
      const result = await unit(tx).finally(() => tx.end())
      await transaction.settle()
      await transaction.commit(changes)
      isCommitted = true
      return { result, changes }
    } catch (error) {
      if (error instanceof CommitUnconfirmed) report(onUnconfirmed, changes)
      throw transaction.resolveError(error)
    } finally {
      await transaction.end(isCommitted)
    }
  }

  async function runWithRetries<Result>(
    unit: (tx: Transaction) => Promise<Result>,
  ): Promise<UnitResult<Result>> {
    let options: TransactionOptions = { hasSavepoints: false, firstLocks: [] }
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(unit, options)
      } catch (error) {
        if (error instanceof CommitUnconfirmed) throw toUnconfirmed(error.cause)
        if (error instanceof TransactionAborted && !options.hasSavepoints) {
          options = { ...options, hasSavepoints: true }
          continue
        }
        if (error instanceof LockOutOfOrder) {
          // It ends: each time there is at least one more lock, and a transaction needs a handful.
          options = { ...options, firstLocks: error.locks }
          attempt -= 1
          continue
        }
        if (!isRetryable(error) || attempt === MAX_ATTEMPTS)
          throw isServerError(error) ? toUnavailable(error) : error
        await Bun.sleep(Math.random() * BACKOFF_MS * 2 ** attempt)
      }
    }
  }

  async function write<Result>(unit: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (waiting >= MAX_QUEUED_WRITES) throw queueFullError()
    parts.availability.assertAvailable()
    waiting += 1
    try {
      const { result, changes } = await runWithRetries(unit)
      committed += 1
      report(onCommitted, changes)
      return result
    } finally {
      waiting -= 1
      if (waiting === 0) for (const resolve of idle.splice(0)) resolve()
    }
  }

  return {
    write,
    stats: () => ({ committed, waiting }),
    /** Resolves when nothing waits or runs. */
    idle: async () => {
      if (waiting > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}

/** An error of a listener is not one of the write. */
function report(listener: (changes: readonly DataChange[]) => void, changes: readonly DataChange[]): void {
  try {
    listener(changes)
  } catch (error) {
    reportUncaught(error)
  }
}
