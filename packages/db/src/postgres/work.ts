import type { QueryResult } from 'pg'
import type { Change, Transaction } from '../database.ts'
import type { Statement } from '../statement.ts'
import type { Taken, WritingPool } from './connections.ts'
import { locking, lockOf } from './locks.ts'
import { type NamedStatements, runOn } from './statements.ts'
import { isLost, isTrouble, wasLost } from './trouble.ts'

/** A unit went on after a statement had failed: the server takes nothing more then, unless a savepoint stands before it. */
export class Spoilt extends Error {}

/** The connection broke while a commit was under way: whether it happened is not known. */
export class Unconfirmed extends Error {}

export interface WorkParts {
  readonly pool: WritingPool
  readonly named: NamedStatements
  /** Waits until no other unit of this process begins under a lock. */
  readonly turn: (lock: string) => Promise<() => void>
  /** Tells the other replicas of changes once they are committed, as SQL. */
  readonly telling: (changes: readonly Change[]) => readonly string[]
}

/**
 * One attempt at a unit: a transaction that begins with the first statement, under the lock of what that is about.
 * @param isGuarded whether each statement stands behind a savepoint, so that the unit may go on after one that failed
 */
export function workOn(parts: WorkParts, isGuarded: boolean) {
  let taken: Taken | null = null
  let endTurn = () => {}
  const held = new Set<string>()
  /** Why nothing more can be run. */
  let failure: unknown = null
  let wentOn = false
  /** Statements that a unit asks for at the same time run one after the other, as on any engine. */
  let last: Promise<unknown> = Promise.resolve()

  async function begin(lock: string | null): Promise<Taken> {
    if (lock !== null) endTurn = await parts.turn(lock)
    taken = await parts.pool.take()
    const { begin } = parts.pool
    await taken.client.query(lock === null ? begin : `${begin}; ${locking(lock)}`)
    return taken
  }

  async function under(lock: string | null): Promise<Taken> {
    if (lock === null || held.has(lock)) return taken ?? begin(null)
    const begun = taken
    const at = begun ?? (await begin(lock))
    if (begun !== null) await at.client.query(locking(lock))
    held.add(lock)
    return at
  }

  async function attempt<Params>(made: Statement<Params, unknown>, params: Params): Promise<QueryResult> {
    if (failure !== null) {
      wentOn = true
      throw new Spoilt()
    }
    const named = parts.named(made as Statement<never, unknown>)
    const values = named.compiled.values(params as Readonly<Record<string, unknown>>)
    try {
      const { client } = await under(
        made.commutes ? null : lockOf(params as Readonly<Record<string, unknown>>),
      )
      if (!isGuarded) return await runOn(client, named, values)
      await client.query('savepoint statement')
      try {
        return await runOn(client, named, values)
      } catch (error) {
        if (!isTrouble(error)) await client.query('rollback to statement')
        throw error
      }
    } catch (error) {
      if (!isGuarded || isTrouble(error)) failure = error
      throw error
    }
  }

  const run = <Params>(made: Statement<Params, unknown>, params: Params): Promise<QueryResult> => {
    const next = last.then(() => attempt(made, params))
    last = next.catch(() => {})
    return next
  }

  return {
    queries: {
      first: async (made, params) => (await run(made, params)).rows[0],
      all: async (made, params) => (await run(made, params)).rows,
      run: async (made, params) => (await run(made, params)).rowCount ?? 0,
    } satisfies Pick<Transaction, 'first' | 'all' | 'run'>,

    /** Waits for every statement that was asked for. @throws why nothing can be committed */
    async settle(): Promise<void> {
      await last
      if (failure === null) return
      throw isTrouble(failure) ? failure : new Spoilt()
    },

    /** What failed, where that is not what the unit says itself. */
    causeOf(told: unknown): unknown {
      if (told instanceof Unconfirmed) return told
      if (isTrouble(failure)) return failure
      return wentOn ? new Spoilt() : told
    },

    async commit(changes: readonly Change[]): Promise<void> {
      if (taken === null && changes.length === 0) return
      const { client } = taken ?? (await begin(null))
      try {
        const answers = await client.query([...parts.telling(changes), 'commit'].join('; '))
        const answer = [answers].flat().at(-1)
        if (answer?.command !== 'COMMIT') throw new Error(`a commit was answered by ${answer?.command}`)
      } catch (error) {
        failure = error
        if (!isLost(error) || wasLost(error)) throw error
        throw new Unconfirmed('the connection broke during a commit', { cause: error })
      }
    },

    /** Undoes what has not been committed, and gives the connection back. */
    async end(isCommitted: boolean): Promise<void> {
      await last
      let isBroken = isLost(failure)
      if (!isCommitted && !isBroken) {
        await taken?.client.query('rollback').catch(() => {
          isBroken = true
        })
      }
      taken?.release(isBroken)
      endTurn()
    },
  }
}
