import type { Database as Engine, Statement as Prepared, SQLQueryBindings } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { BunSqliteDialect } from 'kysely-bun-sqlite'
import type { Database, DataChange, Queries, Transaction } from '../database.ts'
import { openTransaction } from '../open-transaction.ts'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'
import { createCheckpointWorker } from './checkpoint-worker.ts'
import { Connection } from './connection.ts'
import { readDiskUsage } from './disk-usage.ts'
import { isStorageFailure } from './errors.ts'
import { createWriteQueue } from './group-commit.ts'

/** Before this release SQLite could corrupt a database when a WAL was reset: https://sqlite.org/wal.html#walresetbug */
const MIN_SQLITE_VERSION = '3.51.3'

/**
 * How long the log grows, in pages of 4 KiB, before it is folded into the database: four times SQLite's own default, which
 * took a third off the time of a write, because a page that changes often is written to its place less often.
 */
const CHECKPOINT_PAGES = 4000

/** In bytes, of the database and its log. */
const PAGE_BYTES = 4096

/** How much of the file is mapped for reads: the most that SQLite allows. */
const MMAP_BYTES = 0x7fff0000

/**
 * How long a write waits, in milliseconds and with it all else, where a program beside Reeve has the file locked: one that
 * copies changes elsewhere does so for moments (https://litestream.io/tips/). Reeve itself never waits for itself.
 */
const BUSY_TIMEOUT_MS = 100

const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: <T extends keyof Tables>(table: T, index: string | null) =>
    sql<Tables[T]>`${sql.table(table)}`.as<T>(
      index === null ? sql.ref(table) : sql`${sql.ref(table)} indexed by ${sql.ref(index)}`,
    ),
}

/** bun:sqlite takes no booleans, lists or dates: booleans become 0 and 1, lists JSON; dates are a mistake. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return JSON.stringify(value)
  return value
}

/** Kysely on an engine: it compiles our statements and runs our migrations. */
export function createKysely(engine: Engine): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new BunSqliteDialect({ database: engine }) })
}

/** Statements by connection: compiled and prepared at the first run, kept for good. */
function createStatementCache(engine: Engine, kysely: Kysely<Tables>) {
  const cache = new Map<
    unknown,
    { compiled: CompiledStatement; prepared: Prepared<unknown, SQLQueryBindings[]> }
  >()
  return (statement: Statement<never, unknown>) => {
    const cached = cache.get(statement)
    if (cached) return cached
    const compiled = compile(statement, kysely, dialect, bind)
    const entry = { compiled, prepared: engine.prepare<unknown, SQLQueryBindings[]>(compiled.sql) }
    cache.set(statement, entry)
    return entry
  }
}

type StatementCache = ReturnType<typeof createStatementCache>
type Values = Readonly<Record<string, unknown>>

const createQueries = (prepare: StatementCache): Queries & Pick<Transaction, 'run'> => ({
  async first<Params, Row>(statement: Statement<Params, Row>, params: Params) {
    const { compiled, prepared: run } = prepare(statement)
    return (run.get(...(compiled.values(params as Values) as SQLQueryBindings[])) ?? undefined) as
      | Row
      | undefined
  },
  async all<Params, Row>(statement: Statement<Params, Row>, params: Params) {
    const { compiled, prepared: run } = prepare(statement)
    return run.all(...(compiled.values(params as Values) as SQLQueryBindings[])) as Row[]
  },
  async run<Params>(statement: Statement<Params, unknown>, params: Params) {
    const { compiled, prepared: run } = prepare(statement)
    return run.run(...(compiled.values(params as Values) as SQLQueryBindings[])).changes
  },
})

/** How many pages the disk under a folder still takes. */
function countFreePages(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / PAGE_BYTES
}

function openConnection(file: string, options: { readonly: boolean }): Engine {
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

const readVersion = (engine: Engine): string =>
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

/** The database over one writing connection and one of its own for reads. The schema must be migrated already. */
export function sqliteDatabase(file: string, writer: Engine): Database {
  const reader = openConnection(file, { readonly: true })
  // Every commit of the writer empties the reader's own cache; mapped pages stay where they are.
  reader.run(`PRAGMA mmap_size = ${MMAP_BYTES}`)
  const kysely = createKysely(writer)
  const readView = createReadView(reader)
  const readQueries = createQueries(readView.wrap(createStatementCache(reader, kysely)))
  const writeStatements = createStatementCache(writer, kysely)
  const writeQueries = createQueries(writeStatements)
  const changes = (statement: Statement<never, unknown>) => writeStatements(statement).compiled.isWrite
  const listeners = new Set<(change: DataChange) => void>()
  /** A step around units, prepared once. */
  const prepareStep = (command: string) => {
    const prepared = writer.prepare(command)
    return () => {
      prepared.run()
    }
  }

  // The engine would fold by itself and keep to itself that a sync failed in it.
  writer.run('PRAGMA wal_autocheckpoint = 0')
  const folder = dirname(file)
  const walStatus = writer.prepare<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  /** Whether most of the log has been folded while it went on growing: the rest is due. */
  let mustFinishCheckpoint = false
  const checkpointWorker = createCheckpointWorker(file, (failure) => {
    if (failure) writeQueue.handleCheckpointFailure(failure)
  })
  /**
   * Most of the log is folded while writing goes on, and then the rest while it waits: only a log that is folded to its end
   * begins anew. Writing waits as well where the disk gets short, because what the log holds has to fit beside it to be
   * folded at all. Reads never wait.
   */
  const checkpoint = async () => {
    if (checkpointWorker.isBusy()) return
    const { log = 0, checkpointed = 0 } = walStatus.get() ?? {}
    const pendingPages = log - checkpointed
    if (mustFinishCheckpoint || pendingPages >= countFreePages(folder)) {
      mustFinishCheckpoint = false
      await checkpointWorker.start()
    } else if (pendingPages >= CHECKPOINT_PAGES) {
      void checkpointWorker.start().then(() => {
        mustFinishCheckpoint = true
      })
    }
  }
  const begin = prepareStep('BEGIN IMMEDIATE')
  const commit = prepareStep('COMMIT')
  const checkpointAndTruncate = () => writer.run('PRAGMA wal_checkpoint(TRUNCATE)')

  const writeQueue = createWriteQueue({
    checkpoint,
    truncateWal: async () => {
      checkpointAndTruncate()
    },
    begin: () => {
      readView.end()
      begin()
    },
    commit: () => {
      commit()
      readView.end()
    },
    rollback: () => {
      readView.end()
      if (writer.inTransaction) writer.run('ROLLBACK')
    },
    savepoint: prepareStep('SAVEPOINT unit'),
    release: prepareStep('RELEASE unit'),
    rollbackToSavepoint: () => {
      writer.run('ROLLBACK TO unit')
      writer.run('RELEASE unit')
    },
    transaction: (announce) => openTransaction(writeQueries, changes, announce),
    onCommit: (changes) => {
      for (const change of changes) for (const listener of listeners) listener(change)
    },
  })

  return {
    read: { first: readQueries.first, all: readQueries.all },
    write: writeQueue.write,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onMissedChanges: () => () => {},
    isShared: false,
    broadcast: async () => {},
    onBroadcast: () => () => {},
    stats: writeQueue.stats,
    diskUsage: () => readDiskUsage(file),
    engine: () => `SQLite ${readVersion(reader)}`,
    fatalError: writeQueue.fatalError,
    async ping() {
      reader.query('select 1').get()
    },
    async close() {
      await writeQueue.idle()
      await checkpointWorker.close()
      readView.end()
      reader.close()
      try {
        checkpointAndTruncate()
      } catch (error) {
        // The log holds all of it, and the next start folds it in.
        if (!isStorageFailure(error)) throw error
      } finally {
        writer.close()
      }
    },
  }
}

/**
 * The view that reads share: begun with the first of them and ended around every commit, because beginning one costs as
 * much as finding a row. The log can begin anew only while no view is open, so none is while it is written and folded.
 */
function createReadView(reader: Engine) {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  return {
    wrap:
      (prepare: StatementCache): StatementCache =>
      (statement) => {
        if (!reader.inTransaction) begin.run()
        return prepare(statement)
      },
    end() {
      if (reader.inTransaction) end.run()
    },
  }
}
