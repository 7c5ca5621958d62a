import { type Kysely, sql } from 'kysely'
import type { ClientBase, Pool, QueryResult } from 'pg'
import { type CompiledStatement, compile, type Dialect, type Statement } from '../statement.ts'
import type { Tables } from '../tables/index.ts'

const dialect: Dialect = {
  among: (column, list) => sql`${sql.ref(column)} = any(${list})`,
  contains: (column, text) => sql`strpos(${sql.ref(column)}, ${text}) > 0`,
  through: <T extends keyof Tables>(table: T) => sql<Tables[T]>`${sql.table(table)}`.as<T>(table),
}

/** No text of this engine holds U+0000. What is stored never does; what is looked for then finds nothing, as it should. */
function bind(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && value.includes('\0')) return value.replaceAll('\0', '\ufffd')
  return Array.isArray(value) ? value.map(bind) : value
}

/** A statement under the name by which each connection prepares it once; without one it is prepared anew at each run. */
export interface Named {
  readonly name: string | undefined
  readonly compiled: CompiledStatement
}

export type NamedStatements = (made: Statement<never, unknown>) => Named

/**
 * Statements, compiled at the first run and kept for good.
 * @param hasNames whether connections keep what they have prepared
 */
export function namedStatements(kysely: Kysely<Tables>, hasNames: boolean): NamedStatements {
  const known = new Map<unknown, Named>()
  return (made) => {
    const found = known.get(made)
    if (found) return found
    const name = hasNames ? `s${known.size}` : undefined
    const named = { name, compiled: compile(made, kysely, dialect, bind) }
    known.set(made, named)
    return named
  }
}

/** Runs a statement on a connection, or on any of a pool. */
export const runOn = (
  on: Pool | ClientBase,
  { name, compiled }: Named,
  values: unknown[],
): Promise<QueryResult> => on.query({ name, text: compiled.sql, values })
