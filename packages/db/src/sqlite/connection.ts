import { type DatabaseOptions, Database as Engine, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { dirname } from 'node:path'
import type { Queries } from '../database.ts'
import { createTimeSlicer, waitForNextTurn } from '../yield-to-event-loop.ts'
import { createKysely, createQueries, createStatementCache } from './statements.ts'

/** Earlier versions could corrupt a database on a WAL reset: https://sqlite.org/wal.html#walresetbug */
const MIN_SQLITE_VERSION = '3.51.3'

/** The size of the page cache of a connection. Other pages are copied from the cache of the system, in a microsecond or two each. */
const CACHE_KIB = 8 * 1024

/**
 * How long a write waits for a lock of another program, in milliseconds. It blocks the event loop meanwhile. Replication
 * tools lock the file briefly (https://litestream.io/tips/); Reeve never blocks itself.
 */
const WRITE_TIMEOUT_MS = 100

/**
 * How long any other use of a connection waits for a lock, in milliseconds. After a crash, the first connection of any program
 * recovers the WAL, and the others wait for it, also those that only read.
 */
export const LOCK_TIMEOUT_MS = 5000

/**
 * A connection that waits while another program recovers the database, and that is closed when `close` returns. SQLite keeps a
 * connection open until its last statement is finalized, which garbage collection does at any time: it would then delete the
 * WAL of a database that another process has opened since.
 */
export class Connection extends Engine {
  readonly #statements = new Set<{ finalize(): void }>()

  constructor(file: string, options: DatabaseOptions) {
    super(file, options)
    this.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
  }

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    sql: string,
    params?: Params,
    // biome-ignore lint/suspicious/noExplicitAny: the type of bun:sqlite
  ): Statement<Row, Params extends any[] ? Params : [Params]> {
    const statement = super.prepare<Row, Params>(sql, params)
    this.#statements.add(statement)
    return statement
  }

  /** @throws Error where a statement is running */
  override close(): void {
    for (const statement of this.#statements) statement.finalize()
    this.#statements.clear()
    super.close(true)
  }
}

/** Opens a connection with the settings that all connections share. */
export function openConnection(file: string, options: { readonly: boolean }): Engine {
  const engine = new Connection(file, options.readonly ? { readonly: true } : { create: true })
  if (!options.readonly) engine.run('PRAGMA journal_mode = WAL')
  engine.run('PRAGMA synchronous = FULL')
  engine.run('PRAGMA foreign_keys = ON')
  // Sorting may use memory, but savepoints must not: a large transaction took 972 MB in memory, and 308 MB this way.
  if (options.readonly) engine.run('PRAGMA temp_store = MEMORY')
  engine.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  return engine
}

/** The version of the SQLite library. */
export const readVersion = (engine: Engine): string =>
  engine.query<{ version: string }, []>('select sqlite_version() as version').get()?.version ?? '0'

function assertSafeSqlite(engine: Engine): void {
  const version = readVersion(engine)
  if (Bun.semver.order(version, MIN_SQLITE_VERSION) < 0) {
    throw new Error(
      `SQLite ${version} can lose data on a WAL reset; ${MIN_SQLITE_VERSION} or later is required.`,
    )
  }
}

/** Opens the writer connection of a database file. Creates the file where it does not exist. */
export function openSqliteWriter(file: string): Engine {
  const engine = openConnection(file, { readonly: false })
  assertSafeSqlite(engine)
  // The rollback data of a large transaction goes to a temporary file, in this folder because no other may be writable.
  engine.run(`PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`)
  engine.run(`PRAGMA busy_timeout = ${WRITE_TIMEOUT_MS}`)
  return engine
}

/**
 * Opens a read-only connection on a snapshot of the current state, unaffected by later writes. The event loop gets turns between
 * statements, also while a check runs thousands of them.
 */
export function openSqliteSnapshot(file: string): { engine: Engine; read: Queries } {
  const engine = openConnection(file, { readonly: true })
  engine.run('BEGIN')
  const { first, all } = createQueries(createStatementCache(engine, createKysely(engine)))
  const yieldIfDue = createTimeSlicer(waitForNextTurn)
  const read: Queries = {
    async first(statement, params) {
      await yieldIfDue()
      return first(statement, params)
    },
    async all(statement, params) {
      await yieldIfDue()
      return all(statement, params)
    },
  }
  return { engine, read }
}
