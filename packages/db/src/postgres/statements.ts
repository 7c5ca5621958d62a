import { type Kysely, sql } from 'kysely'
import type { ClientBase, Pool, QueryResult } from 'pg'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'
import { postgresEncoding, replaceNul } from './column-encoding.ts'
import { postgresNameIndex } from './name-index.ts'

const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} = any(${list})`,
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

/** Gets the compiled form of a statement. */
export type StatementCache = (statement: Statement<never, unknown>) => PreparedStatement

/**
 * Creates a cache of compiled statements. Each is compiled on its first run, and never dropped.
 * @param canPrepare whether prepared statements outlive a transaction; a pooler in transaction mode does not support that
 */
export function createStatementCache(kysely: Kysely<Tables>, canPrepare: boolean): StatementCache {
  const cache = new Map<unknown, PreparedStatement>()
  const compiler = { sql: kysely, dialect, encoding: postgresEncoding, bind }
  return (statement) => {
    const cached = cache.get(statement)
    if (cached) return cached
    const name = canPrepare ? `s${cache.size}` : undefined
    const prepared = { name, compiled: compile(statement, compiler) }
    cache.set(statement, prepared)
    return prepared
  }
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
