import { ApiError } from '../../../api/error.ts'

/**
 * Calls whose answer is a secret cannot be repeated: where the answer was lost, it is said what may have happened.
 * @param warning a sentence, told after that of the failure
 */
export async function withLostResponseWarning<Result>(
  request: Promise<Result>,
  warning: string,
): Promise<Result> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 'unreachable' && error.code !== 'invalid_response'))
      throw error
    throw new ApiError(error.status, error.code, `${error.message} ${warning}`)
  }
}
