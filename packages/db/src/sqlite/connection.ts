import { Database as Engine, type SQLQueryBindings, type Statement } from 'bun:sqlite'

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
