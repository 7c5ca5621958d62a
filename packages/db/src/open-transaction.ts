import type { DataChange, Transaction } from './database.ts'
import type { Statement } from './statement.ts'

/** What an engine runs in a transaction. */
export type TransactionQueries = Omit<Transaction, 'announce'>

/**
 * A transaction while its function runs. It throws when it is used after that, because an `await` was forgotten. A class, because each write
 * creates one, and with closures instead of methods it would be 19 objects.
 */
export class OpenTransaction implements Transaction {
  readonly #queries: TransactionQueries
  readonly #isWrite: (statement: Statement<never, unknown>) => boolean
  readonly #announce: (change: DataChange) => void
  #isOpen = true
  #hasChanged = false

  constructor(
    queries: TransactionQueries,
    isWrite: (statement: Statement<never, unknown>) => boolean,
    announce: (change: DataChange) => void,
  ) {
    this.#queries = queries
    this.#isWrite = isWrite
    this.#announce = announce
  }

  /** Whether it has run a statement that writes. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  end(): void {
    this.#isOpen = false
  }

  #assertOpen(): void {
    if (!this.#isOpen)
      throw new Error('a statement ran after the end of its transaction: an await is missing')
  }

  #begin(statement: Statement<never, unknown>): TransactionQueries {
    this.#assertOpen()
    this.#hasChanged ||= this.#isWrite(statement)
    return this.#queries
  }

  first<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return this.#begin(statement as Statement<never, unknown>).first(statement, params)
  }

  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.#begin(statement as Statement<never, unknown>).all(statement, params)
  }

  run<Params>(statement: Statement<Params, unknown>, params: Params): Promise<number> {
    return this.#begin(statement as Statement<never, unknown>).run(statement, params)
  }

  send<Params>(statement: Statement<Params, unknown>, params: Params): Promise<void> {
    return this.#begin(statement as Statement<never, unknown>).send(statement, params)
  }

  allEach<Params, Row>(statement: Statement<Params, Row>, list: readonly Params[]): Promise<Row[][]> {
    return this.#begin(statement as Statement<never, unknown>).allEach(statement, list)
  }

  insertEach<Params>(statement: Statement<Params, unknown>, list: readonly Params[]): Promise<void> {
    return this.#begin(statement as Statement<never, unknown>).insertEach(statement, list)
  }

  announce(change: DataChange): void {
    this.#assertOpen()
    this.#announce(change)
  }
}

/** Wraps a transaction, so that a function is also called for each change that it announces. */
export const observeAnnouncements = (
  tx: Transaction,
  observe: (change: DataChange) => void,
): Transaction => ({
  first: (statement, params) => tx.first(statement, params),
  all: (statement, params) => tx.all(statement, params),
  run: (statement, params) => tx.run(statement, params),
  send: (statement, params) => tx.send(statement, params),
  allEach: (statement, list) => tx.allEach(statement, list),
  insertEach: (statement, list) => tx.insertEach(statement, list),
  announce(change) {
    observe(change)
    tx.announce(change)
  },
})
