import { ApiError } from '../../../api/error.ts'

/*
 * Adds a warning to the error if the response was lost. A request that returns a secret cannot be retried safely.
 * @param warning a sentence, appended to the error message

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
