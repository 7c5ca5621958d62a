import type { Database as Engine, Statement as Prepared, SQLQueryBindings } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { BunSqliteDialect } from 'kysely-bun-sqlite'
import { Connection } from './connection.ts'
import type { Change, Database, Queries, Transaction } from './database.ts'
import { foldBeside } from './fold.ts'
import { openTransaction } from './open-transaction.ts'
import { roomOf } from './room.ts'
import { type CompiledStatement, compile, type Dialect, type Statement } from './statement.ts'
import { isStorageFailure } from './storage-failure.ts'
import type { Tables } from './tables/index.ts'
import { unitQueue } from './units.ts'

/** Before this release SQLite could corrupt a database when a WAL was reset: https://sqlite.org/wal.html#walresetbug */
const OLDEST_SAFE_SQLITE = '3.51.3'

/**
 * How long the log grows, in pages of 4 KiB, before it is folded into the database: four times SQLite's own default, which
 * took a third off the time of a write, because a page that changes often is written to its place less often.
 */
const FOLD_PAGES = 4000

/** In bytes, of the database and its log. */
const PAGE = 4096

/** How much of the file is mapped for reads: the most that SQLite allows. */
const MAPPED_BYTES = 0x7fff0000

/**
 * How long a write waits, in milliseconds and with it all else, where a program beside Reeve has the file locked: one that
 * copies changes elsewhere does so for moments (https://litestream.io/tips/). Reeve itself never waits for itself.
 */
const BESIDE_MS = 100

const dialect: Dialect = {
  among: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  through: <T extends keyof Tables>(table: T, index: string | null) =>
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
export function kyselyOn(engine: Engine): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new BunSqliteDialect({ database: engine }) })
}

/** Statements by connection: compiled and prepared at the first run, kept for good. */
function preparedOn(engine: Engine, kysely: Kysely<Tables>) {
  const known = new Map<
    unknown,
    { compiled: CompiledStatement; prepared: Prepared<unknown, SQLQueryBindings[]> }
  >()
  return (made: Statement<never, unknown>) => {
    const found = known.get(made)
    if (found) return found
    const compiled = compile(made, kysely, dialect, bind)
    const entry = { compiled, prepared: engine.prepare<unknown, SQLQueryBindings[]>(compiled.sql) }
    known.set(made, entry)
    return entry
  }
}

type PreparedStatements = ReturnType<typeof preparedOn>
type Values = Readonly<Record<string, unknown>>

const queriesOn = (prepared: PreparedStatements): Queries & Pick<Transaction, 'run'> => ({
  async first<Params, Row>(made: Statement<Params, Row>, params: Params) {
    const { compiled, prepared: run } = prepared(made)
    return (run.get(...(compiled.values(params as Values) as SQLQueryBindings[])) ?? undefined) as
      | Row
      | undefined
  },
  async all<Params, Row>(made: Statement<Params, Row>, params: Params) {
    const { compiled, prepared: run } = prepared(made)
    return run.all(...(compiled.values(params as Values) as SQLQueryBindings[])) as Row[]
  },
  async run<Params>(made: Statement<Params, unknown>, params: Params) {
    const { compiled, prepared: run } = prepared(made)
    return run.run(...(compiled.values(params as Values) as SQLQueryBindings[])).changes
  },
})

/** How many pages the disk under a folder still takes. */
function freePages(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / PAGE
}

function connect(file: string, options: { readonly: boolean }): Engine {
  const engine = new Connection(file, options.readonly ? { readonly: true } : { create: true })
  if (!options.readonly) engine.run(`PRAGMA busy_timeout = ${BESIDE_MS}`)
  if (!options.readonly) engine.run('PRAGMA journal_mode = WAL')
  engine.run('PRAGMA synchronous = FULL')
  engine.run('PRAGMA foreign_keys = ON')
  // Sorting may stay in memory; what a savepoint would undo must not: a large unit held 972 MB that way, and 308 MB so.
  if (options.readonly) engine.run('PRAGMA temp_store = MEMORY')
  engine.run('PRAGMA cache_size = -65536')
  return engine
}

const versionOf = (engine: Engine): string =>
  engine.query<{ version: string }, []>('select sqlite_version() as version').get()?.version ?? '0'

function refuseUnsafeSqlite(engine: Engine): void {
  const version = versionOf(engine)
  if (Bun.semver.order(version, OLDEST_SAFE_SQLITE) < 0) {
    throw new Error(
      `SQLite ${version} can lose data when its log is reset; ${OLDEST_SAFE_SQLITE} or later is needed.`,
    )
  }
}

/** Opens the writing connection on a file, which is made where it is missing. */
export function openSqliteWriter(file: string): Engine {
  const engine = connect(file, { readonly: false })
  refuseUnsafeSqlite(engine)
  // What a large unit would undo spills to a nameless file: beside the database, as there may be no other place to write.
  engine.run(`PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`)
  return engine
}

/** Opens a reading connection that sees the file as it is now, however long it looks and whoever writes. */
export function openSqliteSnapshot(file: string): { engine: Engine; read: Queries } {
  const engine = connect(file, { readonly: true })
  engine.run('BEGIN')
  const { first, all } = queriesOn(preparedOn(engine, kyselyOn(engine)))
  return { engine, read: { first, all } }
}

/** The database over one writing connection and one of its own for reads. The schema must be migrated already. */
export function sqliteDatabase(file: string, writer: Engine): Database {
  const reader = connect(file, { readonly: true })
  // Every commit of the writer empties the reader's own cache; mapped pages stay where they are.
  reader.run(`PRAGMA mmap_size = ${MAPPED_BYTES}`)
  const kysely = kyselyOn(writer)
  const view = viewOf(reader)
  const reading = queriesOn(view.through(preparedOn(reader, kysely)))
  const preparedToWrite = preparedOn(writer, kysely)
  const writing = queriesOn(preparedToWrite)
  const changes = (made: Statement<never, unknown>) => preparedToWrite(made).compiled.changes
  const listeners = new Set<(change: Change) => void>()
  /** A step around units, prepared once. */
  const step = (command: string) => {
    const prepared = writer.prepare(command)
    return () => {
      prepared.run()
    }
  }

  // The engine would fold by itself and keep to itself that a sync failed in it.
  writer.run('PRAGMA wal_autocheckpoint = 0')
  const folder = dirname(file)
  const logged = writer.prepare<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)')
  /** Whether most of the log has been folded while it went on growing: the rest is due. */
  let isRestDue = false
  const beside = foldBeside(file, (failure) => {
    if (failure) units.foldFailed(failure)
  })
  /**
   * Most of the log is folded while writing goes on, and then the rest while it waits: only a log that is folded to its end
   * begins anew. Writing waits as well where the disk gets short, because what the log holds has to fit beside it to be
   * folded at all. Reads never wait.
   */
  const fold = async () => {
    if (beside.isBusy()) return
    const { log = 0, checkpointed = 0 } = logged.get() ?? {}
    const unfolded = log - checkpointed
    if (isRestDue || unfolded >= freePages(folder)) {
      isRestDue = false
      await beside.start()
    } else if (unfolded >= FOLD_PAGES) {
      void beside.start().then(() => {
        isRestDue = true
      })
    }
  }
  const begin = step('BEGIN IMMEDIATE')
  const commit = step('COMMIT')
  const foldAll = () => writer.run('PRAGMA wal_checkpoint(TRUNCATE)')

  const units = unitQueue({
    fold,
    makeRoom: async () => {
      foldAll()
    },
    begin: () => {
      view.end()
      begin()
    },
    commit: () => {
      commit()
      view.end()
    },
    rollback: () => {
      view.end()
      if (writer.inTransaction) writer.run('ROLLBACK')
    },
    savepoint: step('SAVEPOINT unit'),
    release: step('RELEASE unit'),
    rollbackToSavepoint: () => {
      writer.run('ROLLBACK TO unit')
      writer.run('RELEASE unit')
    },
    transaction: (announce) => openTransaction(writing, changes, announce),
    committed: (changes) => {
      for (const change of changes) for (const listener of listeners) listener(change)
    },
  })

  return {
    read: { first: reading.first, all: reading.all },
    write: units.write,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onGap: () => () => {},
    isShared: false,
    tellOthers: async () => {},
    onTold: () => () => {},
    figures: units.figures,
    room: () => roomOf(file),
    engine: () => `SQLite ${versionOf(reader)}`,
    broken: units.broken,
    async ping() {
      reader.query('select 1').get()
    },
    async close() {
      await units.idle()
      await beside.close()
      view.end()
      reader.close()
      try {
        foldAll()
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
function viewOf(reader: Engine) {
  const begin = reader.prepare('BEGIN')
  const end = reader.prepare('COMMIT')
  return {
    through:
      (prepared: PreparedStatements): PreparedStatements =>
      (made) => {
        if (!reader.inTransaction) begin.run()
        return prepared(made)
      },
    end() {
      if (reader.inTransaction) end.run()
    },
  }
}
