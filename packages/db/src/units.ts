import { AppError } from '@reeve/core'
import type { Change, DatabaseFigures, Transaction } from './database.ts'
import type { OpenTransaction } from './open-transaction.ts'
import { isDiskFull, isStorageFailure, isSyncFailure, unavailable } from './storage-failure.ts'
import { throwLater } from './throw-later.ts'

/**
 * How many units share one commit at the most. A commit holds the event loop for as long as it writes: 4 ms for 64 units,
 * 1 ms for 16, which still write nine tenths as much in a second.
 */
const MAX_BATCH = 16
/** How many units may wait. */
export const MAX_WAITING = 10_000

/** What whoever asks for one more is told. */
export const tooManyWait = () => new AppError('unavailable', { headers: { 'retry-after': '1' } })

/** How long units may keep the event loop to themselves, in milliseconds: then whoever reads has a turn. */
const MAX_SLICE_MS = 0.5

interface Waiting {
  readonly attempt: (isGuarded: boolean) => Promise<void>
  readonly settle: () => void
  readonly fail: (error: unknown) => void
}

/** A unit failed after it had changed something, and nothing marks where it began. */
class Spoilt extends Error {}

/** What the engine does around units. */
export interface CommitSteps {
  readonly begin: () => void
  readonly commit: () => void
  readonly rollback: () => void
  /** Takes what commits left in the engine's log into the database, where there is enough of it; writing waits for it. */
  readonly fold: () => Promise<void>
  /** Takes all of it in, and gives the room of the log back to the disk. */
  readonly makeRoom: () => Promise<void>
  readonly savepoint: () => void
  readonly release: () => void
  readonly rollbackToSavepoint: () => void
  readonly transaction: (announce: (change: Change) => void) => OpenTransaction
  readonly committed: (changes: readonly Change[]) => void
}

/**
 * Group commit for an engine with one writer: the units that wait share a transaction, and everyone is answered after the
 * COMMIT. One that fails undoes itself alone: where it had changed something, all of them run again, each in a savepoint of
 * its own. A savepoint copies every page that changes in it, so that having one for every unit took a third of a write.
 */
export function unitQueue(steps: CommitSteps) {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let committed = 0
  let isBroken = false
  const { promise: broken, resolve: tellBroken } = Promise.withResolvers<Error>()

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      if (isBroken) throw new AppError('unavailable')
      await runUnits(batch)
      steps.commit()
    } catch (error) {
      needConfirming(error)
      steps.rollback()
      const told = isStorageFailure(error) ? unavailable(error) : error
      for (const unit of batch) unit.fail(told)
      // A log that fills the disk would otherwise keep it full: it is folded after a commit, and none would succeed.
      if (isDiskFull(error)) await foldBy(steps.makeRoom)
      return
    }
    for (const unit of batch) settleOne(unit)
    await foldBy(steps.fold)
  }

  async function runUnits(batch: readonly Waiting[]): Promise<void> {
    try {
      steps.begin()
      await inSlices(batch, (unit) => unit.attempt(false))
    } catch (error) {
      if (!(error instanceof Spoilt)) throw error
      steps.rollback()
      steps.begin()
      await inSlices(batch, (unit) => unit.attempt(true))
    }
  }

  /** Nothing is written any more once the disk has failed to confirm a write. */
  function needConfirming(error: unknown): void {
    if (!(error instanceof Error && isSyncFailure(error))) return
    isBroken = true
    tellBroken(error)
  }

  async function foldBy(step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      foldFailed(error)
    }
  }

  /** What cannot be folded now stays in the log, where it is safe, and is tried again after the next commit. */
  function foldFailed(error: unknown): void {
    needConfirming(error)
    if (!isStorageFailure(error)) throwLater(error)
  }

  /** What listens may fail: that is reported as any uncaught error, and stops neither the answers nor later units. */
  function settleOne(unit: Waiting): void {
    try {
      unit.settle()
    } catch (error) {
      throwLater(error)
    }
  }

  async function drain(): Promise<void> {
    // What else arrives in this turn of the event loop shares the commit.
    await nextTurn()
    while (waiting.length > 0) {
      await runBatch(waiting.splice(0, MAX_BATCH))
      await nextTurn()
    }
    running = null
  }

  /** @throws AppError `unavailable` where too many units wait already */
  function write<Answer>(unit: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
    if (waiting.length >= MAX_WAITING) return Promise.reject(tooManyWait())
    return new Promise<Answer>((resolve, reject) => {
      let settle = () => {}
      const attempt = async (isGuarded: boolean) => {
        const changes: Change[] = []
        const { tx, hasChanged, end } = steps.transaction((change) => changes.push(change))
        if (isGuarded) steps.savepoint()
        try {
          const answer = await unit(tx)
          if (isGuarded) steps.release()
          settle = () => {
            committed += 1
            // Whoever waits runs on only after this, so listeners are told first whichever way round it stands.
            resolve(answer)
            steps.committed(changes)
          }
        } catch (error) {
          // The engine may have ended the transaction by itself: then it is gone for everyone in it.
          if (isStorageFailure(error)) throw error
          if (isGuarded) steps.rollbackToSavepoint()
          else if (hasChanged()) throw new Spoilt()
          settle = () => reject(error)
        } finally {
          end()
        }
      }
      waiting.push({ attempt, settle: () => settle(), fail: reject })
      running ??= drain()
    })
  }

  return {
    write,
    broken,
    foldFailed,
    figures: (): DatabaseFigures => ({ committed, waiting: waiting.length }),
    /** Resolves when nothing waits or runs. */
    idle: async () => {
      while (running !== null) await running
    },
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Does something for one after the other, and lets the event loop turn in between. */
async function inSlices<One>(all: readonly One[], step: (one: One) => Promise<void>): Promise<void> {
  let since = performance.now()
  for (const one of all) {
    await step(one)
    if (performance.now() - since < MAX_SLICE_MS) continue
    await nextTurn()
    since = performance.now()
  }
}
