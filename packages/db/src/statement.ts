import {
  type AliasedExpression,
  type Compilable,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tables } from './tables/index.ts'

/** What an engine lends a statement where SQL itself differs between engines. */
export interface Dialect {
  /** `column` is one of the values of a list parameter, however long. */
  readonly inList: (column: string, list: readonly string[]) => Expression<SqlBool>
  /** The text of `column` holds `text` somewhere; every text holds an empty one. */
  readonly contains: (column: string, text: string) => Expression<SqlBool>
  /**
   * A table to select from, read by way of that index where the engine can be told; null leaves the choice to it. For
   * the few statements whose plan must not depend on what a planner guesses.
   */
  readonly withIndexHint: <T extends keyof Tables>(
    table: T,
    index: string | null,
  ) => AliasedExpression<Tables[T], T>
}

export type Sql = Kysely<Tables>

/** A typed query, written once with Kysely. `Params` are bound by name at each run. */
export interface Statement<Params, Row> extends StatementTraits {
  readonly build: (sql: Sql, p: Params, dialect: Dialect) => Compilable<Row>
}

/** What an engine that runs statements side by side has to know of one. */
export interface StatementTraits {
  /** It leaves the same behind whatever order it and other statements run in, and its unit looks at nothing it changes. */
  readonly isCommutative?: true
  /**
   * It finds few rows by their key, however many there are: such reads may share a connection, where each is answered after
   * those that were sent before it.
   */
  readonly isLookup?: true
}

/** Every statement made in this process: what the tests read to see that each keeps to its workspace. */
export const statements: Statement<never, unknown>[] = []

/**
 * Declares a statement. It is compiled once an engine and run by that engine's own prepared statement, so `build` may
 * only place parameters (`p.name`), never look at their values.
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

/** Every family, with the members it has so far: the tests read these too. */
export const statementFamilies: {
  readonly members: ReadonlyMap<string, unknown>
  readonly source: string
}[] = []

/**
 * Declares a family of statements that differ in shape, such as by which filters are set. Each shape is built once.
 * @param traitsOf what an engine has to know of a shape
 * @returns gives the statement of a shape; a shape is plain data with few possible values
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
 * A word of the code in the text of a statement: the condition of a partial index has to be met by literals, because
 * parameters are bound after the index is chosen.
 */
export function sqlLiteral<Value extends string>(value: Value): RawBuilder<Value> {
  if (!/^[a-z_]+$/.test(value)) throw new TypeError('only words of the code may stand in a statement')
  return sql.lit(value)
}

/** Stands in a compiled query for the parameter of that name. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Typed as the parameters, but every property is a placeholder for the value of that name. */
const placeholders: never = new Proxy({} as never, { get: (_, name) => new Placeholder(String(name)) })

/** A statement as an engine prepares it: SQL text, and how to lay out the values of a run. */
export interface CompiledStatement {
  readonly sql: string
  /** Whether a run of it may change anything. */
  readonly isWrite: boolean
  readonly values: (params: Readonly<Record<string, unknown>>) => unknown[]
}

/** Compiles a statement for an engine. `bind` turns a value into one that the engine's driver takes. */
export function compile(
  definition: Statement<never, unknown>,
  sql: Sql,
  dialect: Dialect,
  bind: (value: unknown) => unknown,
): CompiledStatement {
  const compiled = definition.build(sql, placeholders, dialect).compile()
  const parameters = compiled.parameters
  return {
    sql: compiled.sql,
    isWrite: compiled.query.kind !== 'SelectQueryNode',
    values(params) {
      const values = new Array<unknown>(parameters.length)
      for (let index = 0; index < parameters.length; index++) {
        const parameter = parameters[index]
        if (!(parameter instanceof Placeholder)) {
          values[index] = bind(parameter)
          continue
        }
        const value = params[parameter.name]
        if (value === undefined) throw new TypeError(`statement parameter ${parameter.name} has no value`)
        values[index] = bind(value)
      }
      return values
    },
  }
}
