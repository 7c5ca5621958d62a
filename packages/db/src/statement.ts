import {
  type AliasableExpression,
  type AliasedExpression,
  type Compilable,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { ColumnEncoding } from './column-encoding.ts'
import { ColumnResolver, EncodedValue } from './resolve-columns.ts'
import type { Tables } from './tables/index.ts'

/** SQL that differs between engines. */
export interface Dialect {
  /** `column` is one of the values of a list parameter of any length. */
  readonly inList: (column: string, list: readonly (string | number)[]) => Expression<SqlBool>
  /** Of a list of numbers, the one at the place that `column`, an id, has in a list of ids. */
  readonly itemOf: (
    column: string,
    ids: readonly string[],
    numbers: readonly number[],
  ) => AliasableExpression<number>
  /** The text of `column` contains `text`; every text contains the empty one. */
  readonly contains: (column: string, text: string) => Expression<SqlBool>
  /**
   * A table to select from, with an index hint where the engine has those; null leaves the choice to the query planner. For
   * the few statements whose plan must not depend on statistics.
   */
  readonly withIndexHint: <T extends keyof Tables>(
    table: T,
    index: string | null,
  ) => AliasedExpression<Tables[T], T>
  /** Ends a query that locks the rows it selects, in their order, until its transaction ends. */
  readonly forUpdate: RawBuilder<unknown>
  readonly nameIndex: NameIndex
}

/** The index of player names by their grams, in SQL. Every engine has its own kind, beside the tables. */
export interface NameIndex {
  /** The statements that create it. */
  readonly create: readonly string[]
  /** The number of the next name. */
  readonly nextId: RawBuilder<number>
  /** Continues the numbers after names that have been inserted with theirs. */
  readonly setNextId: string | null
  /** `id` is one of the last names before a number that have all of these grams, at most `limit` of them. */
  readonly contains: (p: { grams: readonly number[]; before: number; limit: number }) => Expression<SqlBool>
  readonly insert: (p: IndexedName) => RawBuilder<unknown>
  /** Inserts many names, outside of declared statements. */
  readonly insertAll: (names: readonly IndexedName[]) => RawBuilder<unknown>
  /** @param p.grams those with which the name was inserted */
  readonly remove: (p: IndexedName) => RawBuilder<unknown>
}

/** A name in the index of names: its number and its grams. */
export interface IndexedName {
  readonly id: number
  readonly grams: readonly number[]
}

/** A statement in SQL that Kysely cannot express. It counts as a write. */
export const rawStatement = (sql: Sql, query: RawBuilder<unknown>): Compilable<unknown> => ({
  compile: () => query.compile(sql),
})

export type Sql = Kysely<Tables>

/** Builds conditions on the columns of a table. */
export type Conditions<Table extends keyof Tables> = ExpressionBuilder<Tables, Table>

/** A query that selects from a table. */
export type SelectQuery<Table extends keyof Tables, Row> = SelectQueryBuilder<Tables, Table, Row>

/** A typed query, built with Kysely. `Params` are bound by name on each run. */
export interface Statement<Params, Row> extends StatementTraits {
  readonly build: (sql: Sql, p: Params, dialect: Dialect) => Compilable<Row>
}

/** Properties of a statement that an engine with concurrent transactions uses. */
export interface StatementTraits {
  /**
   * On PostgreSQL it does not take the advisory lock of its workspace (decision 11). Use it only if the order of transactions does not
   * matter to it, or if its transaction locks the rows itself (`forUpdate`).
   */
  readonly isCommutative?: true
  /** It reads few rows by an index, whatever the size of the table: such reads can be pipelined on a shared connection. */
  readonly isLookup?: true
}

/** Every statement of this process. The tests check that each one filters by workspace. */
export const statements: Statement<never, unknown>[] = []

/**
 * Declares a statement. Each engine compiles it once and runs it as a prepared statement, so `build` may only place
 * parameters (`p.name`), never read their values.
 *
 * @example
 * const byId = statement<{ workspaceId: string; id: string }>()((sql, p) =>
 *   sql.selectFrom('department').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id))
 */
export const statement =
  <Params = object>(traits: StatementTraits = {}) =>
  <Row>(build: Statement<Params, Row>['build']): Statement<Params, Row> => {
    const declared = { build, ...traits }
    statements.push(declared)
    return declared
  }

/** Every statement family with the statements built so far, for the same tests. */
export const statementFamilies: {
  readonly members: ReadonlyMap<string, unknown>
  readonly source: string
}[] = []

/**
 * Declares a family of statements whose SQL depends on a shape, for example on which filters are set. Each shape is built
 * once.
 * @param getTraits the traits of the statement of a shape
 * @returns gets the statement of a shape, which is plain data with few possible values
 */
export const statementFamily =
  <Params, Shape>(getTraits: (shape: Shape) => StatementTraits = () => ({})) =>
  <Row>(build: (sql: Sql, p: Params, shape: Shape, dialect: Dialect) => Compilable<Row>) => {
    const members = new Map<string, Statement<Params, Row>>()
    statementFamilies.push({ members, source: String(build) })
    return (shape: Shape): Statement<Params, Row> => {
      const key = JSON.stringify(shape)
      const cached = members.get(key)
      if (cached) return cached
      const member = statement<Params>(getTraits(shape))<Row>((sql, p, dialect) =>
        build(sql, p, shape, dialect),
      )
      members.set(key, member)
      return member
    }
  }

/**
 * A constant as a literal in the SQL text. The query planner matches the condition of a partial index with literals only,
 * because parameters are bound after the index is chosen.
 * @throws TypeError where `value` is not lowercase letters and underscores
 */
export function sqlLiteral<Value extends string>(value: Value): RawBuilder<Value> {
  if (!/^[a-z_]+$/.test(value))
    throw new TypeError('only lowercase letters and underscores are allowed in a literal')
  return sql.lit(value)
}

/**
 * Whether a text could contain a word when accents are ignored: it contains the word, or has letters outside ASCII, which the
 * caller compares itself.
 * @param column a text in lower case
 */
export const mayContainWord = (dialect: Dialect, column: string, word: string): Expression<SqlBool> =>
  sql<SqlBool>`(${dialect.contains(column, word)} or octet_length(${sql.ref(column)}) <> length(${sql.ref(column)}))`

/** Takes the place of a parameter in a compiled query. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Passed to `build` as the parameters: each property is a placeholder of that name. */
const placeholders: never = new Proxy({} as never, { get: (_, name) => new Placeholder(String(name)) })

/** A statement as an engine prepares it: its SQL text, the order of its values, and how its rows are read. */
export interface CompiledStatement {
  readonly sql: string
  /** Whether it may change data. */
  readonly isWrite: boolean
  readonly values: (params: Readonly<Record<string, unknown>>) => unknown[]
  /** Replaces the bytes of encoded columns by their texts, in a row as the driver returns it. */
  readonly decode: (row: unknown) => void
}

/** How an engine compiles statements. */
export interface Compiler {
  readonly sql: Sql
  readonly dialect: Dialect
  readonly encoding: ColumnEncoding
  /** Converts a value to one that the engine's driver accepts. */
  readonly bind: (value: unknown) => unknown
}

/** Compiles a statement for an engine. */
export function compile(
  definition: Statement<never, unknown>,
  { sql, dialect, encoding, bind }: Compiler,
): CompiledStatement {
  const resolver = new ColumnResolver(encoding)
  const compiled = definition.build(sql.withPlugin(resolver), placeholders, dialect).compile()
  const values = compiled.parameters.map((parameter) => createValueReader(parameter, encoding, bind))
  const results = [...resolver.results].map(([name, type]) => ({ name, read: encoding.createDecoder(type) }))
  return {
    sql: compiled.sql,
    isWrite: compiled.query.kind !== 'SelectQueryNode',
    values: (params) => values.map((read) => read(params)),
    decode(row) {
      const columns = row as Record<string, unknown>
      for (const { name, read } of results) {
        const value = columns[name]
        if (value !== null && value !== undefined) columns[name] = read(value)
      }
    },
  }
}

type ValueReader = (params: Readonly<Record<string, unknown>>) => unknown

/** Reads the value of a parameter of a compiled query: a placeholder or a constant, for an encoded column or another one. */
function createValueReader(
  parameter: unknown,
  encoding: ColumnEncoding,
  bind: Compiler['bind'],
): ValueReader {
  if (parameter instanceof EncodedValue) {
    const { type, usage, value } = parameter
    return createValueReader(value, encoding, (decoded) => {
      if (decoded === null) return null
      if (type === 'int32') return usage === 'store' ? bind(decoded) : encoding.encodeInt32(Number(decoded))
      return Array.isArray(decoded)
        ? encoding.encodeList(type, decoded)
        : encoding.encode(type, String(decoded), usage)
    })
  }
  if (!(parameter instanceof Placeholder)) {
    const constant = bind(parameter)
    return () => constant
  }
  const { name } = parameter
  return (params) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`statement parameter ${name} has no value`)
    return bind(value)
  }
}
