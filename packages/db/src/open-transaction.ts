import type { DataChange, Transaction } from './database.ts'
import type { Statement } from './statement.ts'

/** What an engine runs in a transaction. */
export type TransactionQueries = Omit<Transaction, 'announce'>

/** A transaction while its function runs. */
export interface OpenTransaction {
  readonly tx: Transaction
  /** Whether it has run a statement that writes. */
  readonly hasChanged: () => boolean
  readonly end: () => void
}

/** A transaction that throws when it is used after its function has returned, because an `await` was forgotten. */
export function openTransaction(
  queries: TransactionQueries,
  isWrite: (statement: Statement<never, unknown>) => boolean,
  announce: (change: DataChange) => void,
): OpenTransaction {
  let isOpen = true
  let hasChanged = false
  const assertOpen = () => {
    if (!isOpen) throw new Error('a statement ran after the end of its transaction: an await is missing')
  }
  const withOpenCheck =
    <Params, Input, Result>(run: (statement: Statement<Params, never>, input: Input) => Result) =>
    (statement: Statement<Params, never>, input: Input): Result => {
      assertOpen()
      hasChanged ||= isWrite(statement as Statement<never, unknown>)
      return run(statement, input)
    }
  return {
    tx: {
      first: withOpenCheck(queries.first) as Transaction['first'],
      all: withOpenCheck(queries.all) as Transaction['all'],
      run: withOpenCheck(queries.run) as Transaction['run'],
      send: withOpenCheck(queries.send) as Transaction['send'],
      allEach: withOpenCheck(queries.allEach) as Transaction['allEach'],
      insertEach: withOpenCheck(queries.insertEach) as Transaction['insertEach'],
      announce(change) {
        assertOpen()
        announce(change)
      },
    },
    hasChanged: () => hasChanged,
    end: () => {
      isOpen = false
    },
  }
}
