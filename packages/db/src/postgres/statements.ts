import { type Kysely, sql } from 'kysely'
import type { ClientBase, Pool, QueryResult } from 'pg'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'

const dialect: Dialect = {
  inList: (column, list) => sql`${sql.ref(column)} = any(${list})`,
  contains: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
  withIndexHint: <T extends keyof Tables>(table: T) => sql<Tables[T]>`${sql.table(table)}`.as<T>(table),
}

/** No text of this engine holds U+0000. What is stored never does; what is looked for then finds nothing, as it should. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\ufffd')
  return Array.isArray(value) ? value.map(bind) : value
}

/** A statement under the name by which each connection prepares it once; without one it is prepared anew at each run. */
export interface PreparedStatement {
  readonly name: string | undefined
  readonly compiled: CompiledStatement
}

export type StatementCache = (statement: Statement<never, unknown>) => PreparedStatement

/**
 * Statements, compiled at the first run and kept for good.
 * @param hasNames whether connections keep what they have prepared
 */
export function createStatementCache(kysely: Kysely<Tables>, canPrepare: boolean): StatementCache {
  const cache = new Map<unknown, PreparedStatement>()
  return (statement) => {
    const cached = cache.get(statement)
    if (cached) return cached
    const name = canPrepare ? `s${cache.size}` : undefined
    const prepared = { name, compiled: compile(statement, kysely, dialect, bind) }
    cache.set(statement, prepared)
    return prepared
  }
}

/** Runs a statement on a connection, or on any of a pool. */
export const runStatement = (
  connection: Pool | ClientBase,
  { name, compiled }: PreparedStatement,
  values: unknown[],
): Promise<QueryResult> => connection.query({ name, text: compiled.sql, values })
