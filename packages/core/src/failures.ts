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

/** An error with the same code that names its subject, for the log. */
function nameSubject(error: AppError, subject: string | undefined): AppError {
  if (subject === undefined) return error
  const named = new AppError(error.code, { ...error.options, message: `${subject} failed` })
  named.cause = error
  return named
}
