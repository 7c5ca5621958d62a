import type { Change, DatabaseFigures, Transaction } from '../database.ts'
import { openTransaction } from '../open-transaction.ts'
import { unavailable, unconfirmed } from '../storage-failure.ts'
import { throwLater } from '../throw-later.ts'
import { MAX_WAITING, tooManyWait } from '../units.ts'
import { isTrouble, mayGoBetter } from './trouble.ts'
import { Spoilt, Unconfirmed, type WorkParts, workOn } from './work.ts'

/** How often a unit is begun that others stand in the way of, or whose connection breaks before the commit. */
const MAX_TRIES = 6
/** How long it waits before it is begun again: up to this at first, twice as long each time, at random. */
const PAUSE_MS = 20

interface Done<Answer> {
  readonly answer: Answer
  readonly changes: readonly Change[]
}

/**
 * Runs units, each in a transaction of its own: side by side where they are about different workspaces, else one after the
 * other, here and on every replica.
 */
export function unitRunner(parts: WorkParts, told: (changes: readonly Change[]) => void) {
  let committed = 0
  let waiting = 0
  const idle: (() => void)[] = []

  async function once<Answer>(
    unit: (tx: Transaction) => Promise<Answer>,
    isGuarded: boolean,
  ): Promise<Done<Answer>> {
    const changes: Change[] = []
    const work = workOn(parts, isGuarded)
    const { tx, end } = openTransaction(
      work.queries,
      (made) => parts.named(made).compiled.changes,
      (change) => changes.push(change),
    )
    let isCommitted = false
    try {
      const answer = await unit(tx).finally(end)
      await work.settle()
      await work.commit(changes)
      isCommitted = true
      return { answer, changes }
    } catch (error) {
      throw work.causeOf(error)
    } finally {
      await work.end(isCommitted)
    }
  }

  async function tried<Answer>(unit: (tx: Transaction) => Promise<Answer>): Promise<Done<Answer>> {
    let isGuarded = false
    for (let tries = 1; ; tries++) {
      try {
        return await once(unit, isGuarded)
      } catch (error) {
        if (error instanceof Unconfirmed) throw unconfirmed(error.cause)
        if (error instanceof Spoilt && !isGuarded) {
          isGuarded = true
          continue
        }
        if (!mayGoBetter(error) || tries === MAX_TRIES) throw isTrouble(error) ? unavailable(error) : error
        await Bun.sleep(Math.random() * PAUSE_MS * 2 ** tries)
      }
    }
  }

  async function write<Answer>(unit: (tx: Transaction) => Promise<Answer>): Promise<Answer> {
    if (waiting >= MAX_WAITING) throw tooManyWait()
    waiting += 1
    try {
      const { answer, changes } = await tried(unit)
      committed += 1
      try {
        told(changes)
      } catch (error) {
        throwLater(error)
      }
      return answer
    } finally {
      waiting -= 1
      if (waiting === 0) for (const resolve of idle.splice(0)) resolve()
    }
  }

  return {
    write,
    figures: (): DatabaseFigures => ({ committed, waiting }),
    /** Resolves when nothing waits or runs. */
    idle: async () => {
      if (waiting > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}
