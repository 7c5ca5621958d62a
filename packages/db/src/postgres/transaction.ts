import type { QueryResult } from 'pg'
import type { DataChange } from '../database.ts'
import type { TransactionQueries } from '../open-transaction.ts'
import type { Statement } from '../statement.ts'
import type { Availability } from './availability.ts'
import type { PooledConnection } from './connection-pool.ts'
import { LOCK_TIMEOUT_MS, lockTimeoutSql, type WritePool } from './connections.ts'
import { isAfterFailure, isConnectionLost, isReadOnlyServer, isServerError, wasNotSent } from './errors.ts'
import { acquireLockSql, compareLocks, getLockName, LockOutOfOrder, tryAcquireLockSql } from './locks.ts'
import { type PreparedStatement, runStatement, type StatementCache } from './statements.ts'

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
  readonly acquireMutex: (lock: string, maxWaitMs: number) => Promise<() => void>
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
  /** Whether statements are sent without waiting for the results of those before. */
  const isPipelined = parts.pool.isPipelined && !hasSavepoints
  /** Statements begin in sequence: each once the one before was sent or, without pipelining, has ended. */
  let previous: Promise<unknown> = Promise.resolve()
  /** Resolves when the last statement has ended, and with it all others. */
  let lastEnd: Promise<unknown> = previous

  const query = ({ client }: PooledConnection, sql: string): Promise<QueryResult> =>
    parts.availability.run(() => client.query(sql))

  /** Waits for a request that the next statement needs, unless that is sent right behind it. */
  async function follow(request: Promise<QueryResult>): Promise<void> {
    if (isPipelined) request.catch(fail)
    else await request
  }

  /**
   * Takes the mutexes before the connection, so that transactions that wait for each other do not use up the connections. The time
   * that they wait counts as part of the time for the locks.
   */
  async function begin(locks: readonly string[]): Promise<PooledConnection> {
    const startedAt = performance.now()
    const getRemainingMs = () => startedAt + LOCK_TIMEOUT_MS - performance.now()
    for (const lock of locks) releaseMutexes.push(await parts.acquireMutex(lock, getRemainingMs()))
    const remainingMs = getRemainingMs()
    connection = await parts.pool.acquire()
    await follow(query(connection, [parts.pool.begin, ...acquireLocksSql(locks, remainingMs)].join('; ')))
    for (const lock of locks) acquiredLocks.add(lock)
    return connection
  }

  async function acquireLock(lock: string | null): Promise<PooledConnection> {
    const active = connection ?? (await begin(lock === null || firstLocks.length > 0 ? firstLocks : [lock]))
    if (lock === null || acquiredLocks.has(lock)) return active
    if ([...acquiredLocks].every((held) => compareLocks(held, lock) < 0)) {
      await follow(query(active, acquireLockSql(lock)))
    } else {
      const { rows } = await query(active, tryAcquireLockSql(lock))
      if (!rows[0].acquired) throw new LockOutOfOrder([...acquiredLocks, lock])
    }
    acquiredLocks.add(lock)
    return active
  }

  /** Fails the transaction, because PostgreSQL rejects every later statement. Those that were sent after it fail because of it. */
  function fail(error: unknown): void {
    if (!hasSavepoints || endsTransaction(error)) failure ??= error
  }

  function assertNotFailed(): void {
    if (failure !== null) throw endsTransaction(failure) ? failure : new TransactionAborted()
  }

  /**
   * Sends a statement.
   * @param rows the parameters; several for an insert of as many rows
   * @returns its result, in an object so that waiting for this does not wait for the result
   */
  async function start<Params>(
    statement: Statement<Params, unknown>,
    rows: readonly Params[],
  ): Promise<{ readonly result: Promise<QueryResult> }> {
    if (failure !== null) {
      continuedAfterFailure = true
      throw new TransactionAborted()
    }
    const prepared = parts.prepare(statement as Statement<never, unknown>, rows.length)
    const params = rows as readonly Readonly<Record<string, unknown>>[]
    const values = params.flatMap(prepared.compiled.values)
    try {
      const active = await acquireLock(statement.isCommutative ? null : getLockName(params[0] ?? {}))
      const result = runPrepared(active, prepared, values)
      result.catch(fail)
      return { result }
    } catch (error) {
      fail(error)
      throw error
    }
  }

  async function runPrepared(
    active: PooledConnection,
    prepared: PreparedStatement,
    values: unknown[],
  ): Promise<QueryResult> {
    const run = () => parts.availability.run(() => runStatement(active.client, prepared, values))
    if (!hasSavepoints) return run()
    await query(active, 'savepoint statement')
    try {
      return await run()
    } catch (error) {
      if (!isServerError(error)) await query(active, 'rollback to statement')
      throw error
    }
  }

  /** Runs a statement after those before. @returns when it was sent, and its result */
  function enqueue<Params>(statement: Statement<Params, unknown>, ...rows: readonly Params[]) {
    const started = previous.then(() => start(statement, rows))
    const result = started.then((sent) => sent.result)
    lastEnd = result.catch(() => {})
    previous = isPipelined ? started.catch(() => {}) : lastEnd
    return { started, result }
  }

  const run = <Params>(statement: Statement<Params, unknown>, params: Params): Promise<QueryResult> =>
    enqueue(statement, params).result

  async function send<Params>(statement: Statement<Params, unknown>, ...rows: readonly Params[]) {
    const { started, result } = enqueue(statement, ...rows)
    // An error fails the transaction, as `settle` reports.
    if (isPipelined) await started
    else await result
  }

  return {
    queries: {
      first: async (statement, params) => (await run(statement, params)).rows[0],
      all: async (statement, params) => (await run(statement, params)).rows,
      run: async (statement, params) => (await run(statement, params)).rowCount ?? 0,
      send: (statement, params) => send(statement, params),
      async insertEach(statement, list) {
        for (const rows of splitRows(list)) await send(statement, ...rows)
      },
      async allEach(statement, list) {
        if (!isPipelined) {
          const rows = []
          for (const params of list) rows.push((await run(statement, params)).rows)
          return rows
        }
        // Waits for all, so that none runs any more when the first error is thrown.
        const settled = await Promise.allSettled(list.map((params) => run(statement, params)))
        return settled.map((one) => {
          if (one.status === 'rejected') throw one.reason
          return one.value.rows
        })
      },
    } satisfies TransactionQueries,

    /** Waits until all statements have ended or, with pipelining, were sent. @throws the error that prevents the commit */
    async settle(): Promise<void> {
      await previous
      assertNotFailed()
    },

    /** The actual cause of an error that the function has thrown. */
    resolveError(thrown: unknown): unknown {
      if (thrown instanceof CommitUnconfirmed) return thrown
      if (endsTransaction(failure)) return failure
      return continuedAfterFailure || isAfterFailure(thrown) ? new TransactionAborted() : thrown
    },

    async commit(changes: readonly DataChange[]): Promise<void> {
      if (connection === null && changes.length === 0) return
      const active = connection ?? (await begin([]))
      try {
        const results = await query(active, [...parts.broadcastSql(changes), 'commit'].join('; '))
        const result = [results].flat().at(-1)
        if (result?.command !== 'COMMIT') throw new Error(`the result of a commit was ${result?.command}`)
      } catch (error) {
        await lastEnd
        // The server has reported it, so it has not committed.
        if (failure !== null && !isConnectionLost(failure)) assertNotFailed()
        failure = error
        if (!isConnectionLost(error) || wasNotSent(error)) throw error
        throw new CommitUnconfirmed('the connection was lost during a commit', { cause: error })
      }
    },

    /** Rolls back where there was no commit, and releases the connection and the mutex. */
    async end(isCommitted: boolean): Promise<void> {
      await lastEnd
      let isBroken = isConnectionLost(failure)
      if (!isCommitted && !isBroken) {
        await connection?.client.query('rollback').catch(() => {
          isBroken = true
        })
      }
      connection?.release({ isBroken: isBroken || isReadOnlyServer(failure) })
      for (const releaseMutex of releaseMutexes) releaseMutex()
    },
  }
}

/** A transaction that has waited less than this for others does not shorten the timeout of its locks. */
const SHORT_WAIT_MS = 500

/** Takes locks within the time that is left for them, as SQL. */
function acquireLocksSql(locks: readonly string[], remainingMs: number): readonly string[] {
  const acquire = locks.map(acquireLockSql)
  if (remainingMs > LOCK_TIMEOUT_MS - SHORT_WAIT_MS) return acquire
  // 0 would be no timeout.
  const shortened = Math.max(1, Math.floor(remainingMs))
  return [lockTimeoutSql('set local', shortened), ...acquire, lockTimeoutSql('set local')]
}

/** How many rows a statement inserts at most. */
const MAX_ROWS = 16

/** Divides rows among inserts. Their numbers are powers of two, because each number is a statement of its own. */
function* splitRows<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let start = 0, size = MAX_ROWS; start < rows.length; start += size) {
    while (size > rows.length - start) size /= 2
    yield rows.slice(start, start + size)
  }
}

/** Whether no statement can run after this error, with or without savepoints. */
const endsTransaction = (error: unknown): boolean => isServerError(error) || error instanceof LockOutOfOrder
