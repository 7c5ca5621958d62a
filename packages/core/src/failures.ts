import { AppError, hasErrorCode } from './error.ts'

/**
 * How many attempts in a row may end with `unavailable` before the storage itself counts as not available. A statement about one
 * workspace can also end like that, each time: by a timeout, or because of damaged rows.
 */
export const MAX_UNAVAILABLE_IN_A_ROW = 3

/** Does one thing after another, also after one has failed. */
export interface FailureCollector {
  /**
   * @param subject what the error names, such as a workspace; the error itself by default
   * @returns whether it succeeded
   * @throws the same as `throwFirst` after `MAX_UNAVAILABLE_IN_A_ROW` attempts with an AppError `unavailable`, because what follows would
   * fail, too
   */
  readonly attempt: (run: () => Promise<unknown>, subject?: string) => Promise<boolean>
  /** @throws the first error of all attempts, if there is one; `unavailable` only if there is no other */
  readonly throwFirst: () => void
}

export function createFailureCollector(): FailureCollector {
  // Only the first ones are kept: each of many workspaces can have one.
  let failure: { readonly error: unknown } | null = null
  let unavailable: AppError | null = null
  let unavailableInARow = 0
  const throwFirst = () => {
    if (failure !== null) throw failure.error
    if (unavailable !== null) throw unavailable
  }
  return {
    async attempt(run, subject) {
      try {
        await run()
        unavailableInARow = 0
        return true
      } catch (error) {
        if (hasErrorCode(error, 'unavailable')) {
          unavailable ??= nameSubject(error, subject)
          unavailableInARow += 1
          if (unavailableInARow >= MAX_UNAVAILABLE_IN_A_ROW) throwFirst()
        } else {
          failure ??= {
            error: subject === undefined ? error : new Error(`${subject} failed`, { cause: error }),
          }
          unavailableInARow = 0
        }
        return false
      }
    },
    throwFirst,
  }
}

/** Work that is done piece by piece, for example one import after the other. */
export interface Work<Piece> {
  /** @param failed the last piece that has failed; only those after it are wanted then */
  readonly findNext: (failed: Piece | undefined) => Promise<Piece | null | undefined>
  readonly run: (piece: Piece) => Promise<unknown>
  /** What the error of a piece names. */
  readonly describe: (piece: Piece) => string
}

/**
 * Does all pieces of a work, also after one has failed, until none is left.
 * @param signal aborted at shutdown: it stops after the current piece
 * @throws the same as `throwFirst` of a FailureCollector
 */
export async function doWork<Piece>(
  signal: AbortSignal,
  { findNext, run, describe }: Work<Piece>,
): Promise<void> {
  const failures = createFailureCollector()
  let failed: Piece | undefined
  while (!signal.aborted) {
    const piece = await findNext(failed)
    if (!piece) break
    const hasSucceeded = await failures.attempt(() => run(piece), describe(piece))
    if (!hasSucceeded) failed = piece
  }
  failures.throwFirst()
}

/** An error with the same code that names its subject, for the log. */
function nameSubject(error: AppError, subject: string | undefined): AppError {
  if (subject === undefined) return error
  const named = new AppError(error.code, { ...error.options, message: `${subject} failed` })
  named.cause = error
  return named
}
