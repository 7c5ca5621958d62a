import type { Change, Queries, Transaction } from './database.ts'
import type { Statement } from './statement.ts'

/** What one unit works on. */
export interface OpenTransaction {
  readonly tx: Transaction
  /** Whether the unit has changed anything so far. */
  readonly hasChanged: () => boolean
  readonly end: () => void
}

/** A transaction that refuses to be used once its unit has ended: a forgotten `await` must not write elsewhere. */
export function openTransaction(
  writing: Queries & Pick<Transaction, 'run'>,
  changes: (made: Statement<never, unknown>) => boolean,
  announce: (change: Change) => void,
): OpenTransaction {
  let open = true
  let hasChanged = false
  const needOpen = () => {
    if (!open) throw new Error('a statement ran after its unit had ended: an await is missing')
  }
  const whileOpen =
    <Params, Answer>(run: (made: Statement<Params, never>, params: Params) => Answer) =>
    (made: Statement<Params, never>, params: Params): Answer => {
      needOpen()
      hasChanged ||= changes(made as Statement<never, unknown>)
      return run(made, params)
    }
  return {
    tx: {
      first: whileOpen(writing.first) as Transaction['first'],
      all: whileOpen(writing.all) as Transaction['all'],
      run: whileOpen(writing.run) as Transaction['run'],
      announce(change) {
        needOpen()
        announce(change)
      },
    },
    hasChanged: () => hasChanged,
    end: () => {
      open = false
    },
  }
}
