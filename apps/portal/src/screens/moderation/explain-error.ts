import { ApiError } from '../../api/error.ts'
import { meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidateModeration } from './mutations.ts'

/**
 * Runs a write. If it is refused, refetches what is shown and rethrows the error with a message that explains what to do.
 * @throws ApiError
 */
export async function withExplainedErrors<Result>(
  workspaceId: string,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const explanation = explainError(error)
    if (explanation === null) throw error
    await Promise.all([
      invalidateModeration(workspaceId),
      queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
    ])
    const { status, code, reason, details, requestId } = error
    throw new ApiError(status, code, explanation, { ...(reason && { reason }), details, requestId })
  }
}

function explainError({ code, reason, message }: ApiError): string | null {
  if (code === 'version_mismatch') {
    return 'Someone else changed this case in the meantime, so nothing was done. Your input is kept: check what changed, then try again.'
  }
  if (code === 'conflict') return `${message} Nothing was done: check the current state.`
  if (code === 'forbidden' && reason === 'missing_permission') {
    return 'Your roles no longer allow this. Nothing was done. Someone who manages roles can give you the permission.'
  }
  if (code === 'forbidden' || code === 'not_found') return `${message} Nothing was done.`
  return null
}
