import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, Pool, type QueryResult } from 'pg'
import type { Queries } from '../database.ts'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'
import { postgresEncoding, replaceNul } from './column-encoding.ts'
import { postgresNameIndex } from './name-index.ts'

const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} = any(${list})`,
  itemOf: (column, ids, numbers) =>
    sql`(${numbers}::bigint[])[array_position(${ids}::uuid[], ${sql.ref(column)})]`,
  contains: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: <T extends keyof Tables>(table: T) => sql<Tables[T]>`${sql.table(table)}`.as<T>(table),
  // What an update of other columns than keys locks: rows that refer to it can still be inserted.
  forUpdate: sql`for no key update`,
  nameIndex: postgresNameIndex,
}

function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return replaceNul(value)
  return Array.isArray(value) ? value.map(bind) : value
}

/** A compiled statement. Each connection prepares it once under its name; without a name, on every run. */
export interface PreparedStatement {
  readonly name: string | undefined
  readonly compiled: CompiledStatement
}

/**
 * Gets the compiled form of a statement.
 * @param rows of an insert: how many it inserts at once, with the values of one after those of the other
 */
export type StatementCache = (statement: Statement<never, unknown>, rows?: number) => PreparedStatement

/**
 * Creates a cache of compiled statements. Each is compiled on its first run, for each number of rows, and never dropped.
 * @param canPrepare whether prepared statements outlive a transaction; a pooler in transaction mode does not support that
 */
export function createStatementCache(kysely: Kysely<Tables>, canPrepare: boolean): StatementCache {
  const cache = new Map<unknown, Map<number, PreparedStatement>>()
  const compiler = { sql: kysely, dialect, encoding: postgresEncoding, bind }
  let count = 0
  return (statement, rows = 1) => {
    const byRows = cache.get(statement) ?? new Map<number, PreparedStatement>()
    cache.set(statement, byRows)
    const cached = byRows.get(rows)
    if (cached) return cached
    const compiled = byRows.get(1)?.compiled ?? compile(statement, compiler)
    const prepared = {
      name: canPrepare ? `s${count++}` : undefined,
      compiled: rows === 1 ? compiled : { ...compiled, sql: repeatRow(compiled.sql, rows) },
    }
    byRows.set(rows, prepared)
    return prepared
  }
}

const INSERT = /^(insert into .* values )(\([^()]*\))$/

/** The SQL of an insert of several rows, from that of one. @throws TypeError where it is another statement */
function repeatRow(sql: string, rows: number): string {
  const [, start, row] = INSERT.exec(sql) ?? []
  if (start === undefined || row === undefined) throw new TypeError(`not an insert of one row: ${sql}`)
  const parameters = row.match(/\$/g)?.length ?? 0
  const repeated = Array.from({ length: rows }, (_, index) =>
    row.replaceAll(/\$(\d+)/g, (_parameter, number) => `$${Number(number) + index * parameters}`),
  )
  return start + repeated.join(', ')
}

/** Runs a statement on a connection, or on any connection of a pool. */
export async function runStatement(
  connection: Pool | ClientBase,
  { name, compiled }: PreparedStatement,
  values: unknown[],
): Promise<QueryResult> {
  const result = await connection.query({ name, text: compiled.sql, values })
  for (const row of result.rows) compiled.decode(row)
  return result
}

/** Queries on one connection, which prepares nothing. */
export function createClientQueries(client: ClientBase): Queries {
  const prepare = createStatementCache(
    new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new Pool() }) }),
    false,
  )
  const all: Queries['all'] = async (statement, params) => {
    const prepared = prepare(statement as never)
    return (await runStatement(client, prepared, prepared.compiled.values(params as never))).rows
  }
  return { all, first: async (statement, params) => (await all(statement, params))[0] }
}
