import type { Database as Engine, Statement as Prepared, SQLQueryBindings } from 'bun:sqlite'
import { type Driver, Kysely, SqliteQueryCompiler, sql } from 'kysely'
import { BunSqliteDialect } from 'kysely-bun-sqlite'
import type { TransactionQueries } from '../open-transaction.ts'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'
import { createTimeSlicer, waitForNextTurn } from '../yield-to-event-loop.ts'
import { sqliteEncoding } from './column-encoding.ts'
import { sqliteNameIndex } from './name-index.ts'

const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} in (select value from json_each(${list}))`,
  // The inner query hides the columns of `json_each` that may have the name of the column, such as `id`.
  itemOf: (column, ids, numbers) =>
    sql`(select json_extract(${numbers}, '$[' || key || ']') from (select key, value from json_each(${ids})) where unhex(value) = ${sql.ref(column)})`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: <T extends keyof Tables>(table: T, index: string | null) =>
    sql<Tables[T]>`${sql.table(table)}`.as<T>(
      index === null ? sql.ref(table) : sql`${sql.ref(table)} indexed by ${sql.ref(index)}`,
    ),
  // It runs one transaction at a time.
  forUpdate: sql``,
  nameIndex: sqliteNameIndex,
}

/** bun:sqlite binds no booleans and lists: booleans become 0 and 1, lists JSON. It throws on dates. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return JSON.stringify(value)
  return value
}

/**
 * Writes parameters as `+?`, which has the value and type of `?`. SQLite prepares a statement with a join again whenever a value
 * is bound to a bare `?` in its conditions, in case another plan suits the new value: 25 µs for two tables, 110 for four, instead of 1.
 */
class ParameterCompiler extends SqliteQueryCompiler {
  override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

class SqliteDialect extends BunSqliteDialect {
  readonly #engine: Engine

  constructor(engine: Engine) {
    super({ database: engine })
    this.#engine = engine
  }

  /** SQLite rolls back by itself when the disk is full or fails. A second rollback would fail, and hide that error. */
  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = async (connection) => {
      if (this.#engine.inTransaction) await rollback(connection)
    }
    return driver
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new ParameterCompiler()
  }
}

/** Kysely for a connection: it compiles statements and runs migrations. */
export function createKysely(engine: Engine): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect(engine) })
}

/** The prepared statements of a connection. Each is compiled and prepared on its first run, and never dropped. */
export function createStatementCache(engine: Engine, kysely: Kysely<Tables>) {
  const cache = new Map<
    unknown,
    { compiled: CompiledStatement; prepared: Prepared<unknown, SQLQueryBindings[]> }
  >()
  return (statement: Statement<never, unknown>) => {
    const cached = cache.get(statement)
    if (cached) return cached
    const compiled = compile(statement, { sql: kysely, dialect, encoding: sqliteEncoding, bind })
    const entry = { compiled, prepared: engine.prepare<unknown, SQLQueryBindings[]>(compiled.sql) }
    cache.set(statement, entry)
    return entry
  }
}

export type StatementCache = ReturnType<typeof createStatementCache>
type Values = Readonly<Record<string, unknown>>

/** Does something for each item, while reads run in between. */
async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const yieldIfDue = createTimeSlicer(waitForNextTurn)
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    await yieldIfDue()
  }
  return results
}

export function createQueries(prepare: StatementCache): TransactionQueries {
  const run = <Params>(statement: Statement<Params, unknown>, params: Params): number => {
    const { compiled, prepared } = prepare(statement)
    return prepared.run(...(compiled.values(params as Values) as SQLQueryBindings[])).changes
  }
  const all = <Params, Row>(statement: Statement<Params, Row>, params: Params): Row[] => {
    const { compiled, prepared } = prepare(statement)
    const rows = prepared.all(...(compiled.values(params as Values) as SQLQueryBindings[]))
    for (const row of rows) compiled.decode(row)
    return rows as Row[]
  }
  return {
    async first<Params, Row>(statement: Statement<Params, Row>, params: Params) {
      const { compiled, prepared } = prepare(statement)
      const row = prepared.get(...(compiled.values(params as Values) as SQLQueryBindings[]))
      if (row === null) return undefined
      compiled.decode(row)
      return row as Row
    },
    all: async (statement, params) => all(statement, params),
    allEach: (statement, list) => mapInSlices(list, (params) => all(statement, params)),
    async insertEach(statement, list) {
      await mapInSlices(list, (params) => run(statement, params))
    },
    run: async (statement, params) => run(statement, params),
    async send(statement, params) {
      run(statement, params)
    },
  }
}
