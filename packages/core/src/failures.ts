import { hasErrorCode } from './error.ts'

/** Does one thing after another, also after one has failed. */
export interface FailureCollector {
  /**
   * @param subject what the error names, such as a workspace; the error itself by default
   * @returns whether it succeeded
   * @throws the first error at once after an AppError `unavailable`, because what follows would fail, too
   */
  readonly attempt: (run: () => Promise<unknown>, subject?: string) => Promise<boolean>
  /** @throws the first error of all attempts, if there is one */
  readonly throwFirst: () => void
}

export function createFailureCollector(): FailureCollector {
  const errors: unknown[] = []
  const throwFirst = () => {
    if (errors.length > 0) throw errors[0]
  }
  return {
    async attempt(run, subject) {
      try {
        await run()
        return true
      } catch (error) {
        const isUnavailable = hasErrorCode(error, 'unavailable')
        // Only the first one is thrown: each of many workspaces can have one.
        if (errors.length === 0)
          errors.push(
            subject === undefined || isUnavailable ? error : new Error(`${subject} failed`, { cause: error }),
          )
        if (isUnavailable) throwFirst()
        return false
      }
    },
    throwFirst,
  }
}
