import { AppError, hasErrorCode } from '@reeve/core'

/**
 * Says in the terms of the command line what does not exist.
 * @param message with the command that lists what there is
 * @throws AppError `not_found` with the message instead of that of the operation
 */
export async function withNotFoundHint<Result>(operation: Promise<Result>, message: string): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (!hasErrorCode(error, 'not_found')) throw error
    throw new AppError('not_found', { message })
  }
}
