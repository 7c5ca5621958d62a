import type { QueryResult } from 'pg'
import type { DataChange } from '../database.ts'
import type { TransactionQueries } from '../open-transaction.ts'
import type { Statement } from '../statement.ts'
import type { Availability } from './availability.ts'
import type { PooledConnection } from './connection-pool.ts'
import type { WritePool } from './connections.ts'
import { isConnectionLost, isServerError, wasNotSent } from './errors.ts'
import { acquireLockSql, compareLocks, getLockName, LockOutOfOrder, tryAcquireLockSql } from './locks.ts'
import { runStatement, type StatementCache } from './statements.ts'

/** A function continued after a failed statement. Without a savepoint, PostgreSQL rejects every later statement. */
export class TransactionAborted extends Error {}

/** The connection was lost during the commit, so it is not known whether that happened. */
export class CommitUnconfirmed extends Error {}

/** What transactions share. */
export interface TransactionParts {
  readonly pool: WritePool
  readonly availability: Pick<Availability, 'run' | 'assertAvailable'>
  readonly prepare: StatementCache
  /** Waits for the other transactions of this process under the same lock, and resolves with the release function. */
  readonly acquireMutex: (lock: string) => Promise<() => void>
  /** The SQL that notifies other replicas of changes after the commit. */
  readonly broadcastSql: (changes: readonly DataChange[]) => readonly string[]
}

export interface TransactionOptions {
  /** Whether each statement has a savepoint, so that the function can continue after a failed one. */
  readonly hasSavepoints: boolean
  /** The locks to take before the first statement, in order. */
  readonly firstLocks: readonly string[]
}

/**
 * Creates a transaction that begins with its first statement, under the advisory lock of that statement's workspace. Its
 * statements throw `LockOutOfOrder` if it has to run again with other `firstLocks`.
 */
export function createTransaction(
  parts: TransactionParts,
  { hasSavepoints, firstLocks }: TransactionOptions,
) {
  let connection: PooledConnection | null = null
  const releaseMutexes: (() => void)[] = []
  const acquiredLocks = new Set<string>()
  /** The error after which no statement can run. */
  let failure: unknown = null
  let continuedAfterFailure = false
  /** Concurrent statements of a transaction run in sequence. */
  let previous: Promise<unknown> = Promise.resolve()

  const query = ({ client }: PooledConnection, sql: string): Promise<QueryResult> =>
    parts.availability.run(() => client.query(sql))

  /** Takes the mutexes before the connection, so that transactions that wait for each other do not use up the connections. */
  async function begin(locks: readonly string[]): Promise<PooledConnection> {
    for (const lock of locks) releaseMutexes.push(await parts.acquireMutex(lock))
    connection = await parts.pool.acquire()
    await query(connection, [parts.pool.begin, ...locks.map(acquireLockSql)].join('; '))
    for (const lock of locks) acquiredLocks.add(lock)
    return connection
  }

  async function acquireLock(lock: string | null): Promise<PooledConnection> {
    const active = connection ?? (await begin(lock === null || firstLocks.length > 0 ? firstLocks : [lock]))
    if (lock === null || acquiredLocks.has(lock)) return active
    if ([...acquiredLocks].every((held) => compareLocks(held, lock) < 0)) {
      await query(active, acquireLockSql(lock))
    } else {
      const { rows } = await query(active, tryAcquireLockSql(lock))
      if (!rows[0].acquired) throw new LockOutOfOrder([...acquiredLocks, lock])
    }
    acquiredLocks.add(lock)
    return active
  }

  async function execute<Params>(
    statement: Statement<Params, unknown>,
    params: Params,
  ): Promise<QueryResult> {
    if (failure !== null) {
      continuedAfterFailure = true
      throw new TransactionAborted()
    }
    const prepared = parts.prepare(statement as Statement<never, unknown>)
    const values = prepared.compiled.values(params as Readonly<Record<string, unknown>>)
    try {
      const active = await acquireLock(
        statement.isCommutative ? null : getLockName(params as Readonly<Record<string, unknown>>),
      )
      const runPrepared = () => parts.availability.run(() => runStatement(active.client, prepared, values))
      if (!hasSavepoints) return await runPrepared()
      await query(active, 'savepoint statement')
      try {
        return await runPrepared()
      } catch (error) {
        if (!isServerError(error)) await query(active, 'rollback to statement')
        throw error
      }
    } catch (error) {
      // Those that were sent after it fail too, because of it.
      if (!hasSavepoints || endsTransaction(error)) failure ??= error
      throw error
    }
  }

  /** Sends the statements after the first without waiting for their results, where the connection can do that. */
  async function executeEach<Params>(
    statement: Statement<Params, unknown>,
    list: readonly Params[],
  ): Promise<QueryResult[]> {
    const [first, ...rest] = list
    if (first === undefined) return []
    // The first one takes the lock, and prepares the statement on the connection.
    const results = [await execute(statement, first)]
    if (hasSavepoints || !parts.pool.isPipelined) {
      for (const params of rest) results.push(await execute(statement, params))
      return results
    }
    const settled = await Promise.allSettled(rest.map((params) => execute(statement, params)))
    for (const one of settled) {
      if (one.status === 'rejected') throw one.reason
      results.push(one.value)
    }
    return results
  }

  /** Runs one step of the transaction after the other. */
  function runNext<Result>(step: () => Promise<Result>): Promise<Result> {
    const next = previous.then(step)
    previous = next.catch(() => {})
    return next
  }

  const run = <Params>(statement: Statement<Params, unknown>, params: Params): Promise<QueryResult> =>
    runNext(() => execute(statement, params))

  return {
    queries: {
      first: async (statement, params) => (await run(statement, params)).rows[0],
      all: async (statement, params) => (await run(statement, params)).rows,
      run: async (statement, params) => (await run(statement, params)).rowCount ?? 0,
      allEach: async (statement, list) =>
        (await runNext(() => executeEach(statement, list))).map(({ rows }) => rows),
    } satisfies TransactionQueries,

    /** Waits for all statements. @throws the error that prevents the commit */
    async settle(): Promise<void> {
      await previous
      if (failure === null) return
      throw endsTransaction(failure) ? failure : new TransactionAborted()
    },

    /** The actual cause of an error that the function has thrown. */
    resolveError(thrown: unknown): unknown {
      if (thrown instanceof CommitUnconfirmed) return thrown
      if (endsTransaction(failure)) return failure
      return continuedAfterFailure ? new TransactionAborted() : thrown
    },

    async commit(changes: readonly DataChange[]): Promise<void> {
      if (connection === null && changes.length === 0) return
      const active = connection ?? (await begin([]))
      try {
        const results = await query(active, [...parts.broadcastSql(changes), 'commit'].join('; '))
        const result = [results].flat().at(-1)
        if (result?.command !== 'COMMIT') throw new Error(`the result of a commit was ${result?.command}`)
      } catch (error) {
        failure = error
        if (!isConnectionLost(error) || wasNotSent(error)) throw error
        throw new CommitUnconfirmed('the connection was lost during a commit', { cause: error })
      }
    },

    /** Rolls back where there was no commit, and releases the connection and the mutex. */
    async end(isCommitted: boolean): Promise<void> {
      await previous
      let isBroken = isConnectionLost(failure)
      if (!isCommitted && !isBroken) {
        await connection?.client.query('rollback').catch(() => {
          isBroken = true
        })
      }
      connection?.release(isBroken)
      for (const releaseMutex of releaseMutexes) releaseMutex()
    },
  }
}

/** Whether no statement can run after this error, with or without savepoints. */
const endsTransaction = (error: unknown): boolean => isServerError(error) || error instanceof LockOutOfOrder
