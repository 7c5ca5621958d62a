import type { DataChange, Queries, Transaction } from './database.ts'
import type { Statement } from './statement.ts'

/** A transaction while its function runs. */
export interface OpenTransaction {
  readonly tx: Transaction
  /** Whether it has run a statement that writes. */
  readonly hasChanged: () => boolean
  readonly end: () => void
}

/** A transaction that throws when it is used after its function has returned, because an `await` was forgotten. */
export function openTransaction(
  queries: Queries & Pick<Transaction, 'run'>,
  isWrite: (statement: Statement<never, unknown>) => boolean,
  announce: (change: DataChange) => void,
): OpenTransaction {
  let isOpen = true
  let hasChanged = false
  const assertOpen = () => {
    if (!isOpen) throw new Error('a statement ran after the end of its transaction: an await is missing')
  }
  const withOpenCheck =
    <Params, Result>(run: (statement: Statement<Params, never>, params: Params) => Result) =>
    (statement: Statement<Params, never>, params: Params): Result => {
      assertOpen()
      hasChanged ||= isWrite(statement as Statement<never, unknown>)
      return run(statement, params)
    }
  return {
    tx: {
      first: withOpenCheck(queries.first) as Transaction['first'],
      all: withOpenCheck(queries.all) as Transaction['all'],
      run: withOpenCheck(queries.run) as Transaction['run'],
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
