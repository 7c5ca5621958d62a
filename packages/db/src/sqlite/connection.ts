import { Database as Engine, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { dirname } from 'node:path'
import type { Queries } from '../database.ts'
import { createKysely, createQueries, createStatementCache } from './statements.ts'

/** Before this release SQLite could corrupt a database when a WAL was reset: https://sqlite.org/wal.html#walresetbug */
const MIN_SQLITE_VERSION = '3.51.3'

/**
 * How long a write waits, in milliseconds and with it all else, where a program beside Reeve has the file locked: one that
 * copies changes elsewhere does so for moments (https://litestream.io/tips/). Reeve itself never waits for itself.
 */
const BUSY_TIMEOUT_MS = 100

/**
 * A connection that is closed once `close` returns. The engine keeps one alive for as long as a statement of it does, and
 * closes it whenever those are collected: then it would take the log of a database that somebody else has opened since.
 */
export class Connection extends Engine {
  readonly #statements = new Set<{ finalize(): void }>()

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    sql: string,
    params?: Params,
    // biome-ignore lint/suspicious/noExplicitAny: as the engine's own types say it
  ): Statement<Row, Params extends any[] ? Params : [Params]> {
    const statement = super.prepare<Row, Params>(sql, params)
    this.#statements.add(statement)
    return statement
  }

  /** @throws Error where a statement is still running */
  override close(): void {
    for (const statement of this.#statements) statement.finalize()
    this.#statements.clear()
    super.close(true)
  }
}

export function openConnection(file: string, options: { readonly: boolean }): Engine {
  const engine = new Connection(file, options.readonly ? { readonly: true } : { create: true })
  if (!options.readonly) engine.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  if (!options.readonly) engine.run('PRAGMA journal_mode = WAL')
  engine.run('PRAGMA synchronous = FULL')
  engine.run('PRAGMA foreign_keys = ON')
  // Sorting may stay in memory; what a savepoint would undo must not: a large unit held 972 MB that way, and 308 MB so.
  if (options.readonly) engine.run('PRAGMA temp_store = MEMORY')
  engine.run('PRAGMA cache_size = -65536')
  return engine
}

export const readVersion = (engine: Engine): string =>
  engine.query<{ version: string }, []>('select sqlite_version() as version').get()?.version ?? '0'

function assertSafeSqlite(engine: Engine): void {
  const version = readVersion(engine)
  if (Bun.semver.order(version, MIN_SQLITE_VERSION) < 0) {
    throw new Error(
      `SQLite ${version} can lose data when its log is reset; ${MIN_SQLITE_VERSION} or later is needed.`,
    )
  }
}

/** Opens the writing connection on a file, which is made where it is missing. */
export function openSqliteWriter(file: string): Engine {
  const engine = openConnection(file, { readonly: false })
  assertSafeSqlite(engine)
  // What a large unit would undo spills to a nameless file: beside the database, as there may be no other place to write.
  engine.run(`PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`)
  return engine
}

/** Opens a reading connection that sees the file as it is now, however long it looks and whoever writes. */
export function openSqliteSnapshot(file: string): { engine: Engine; read: Queries } {
  const engine = openConnection(file, { readonly: true })
  engine.run('BEGIN')
  const { first, all } = createQueries(createStatementCache(engine, createKysely(engine)))
  return { engine, read: { first, all } }
}
