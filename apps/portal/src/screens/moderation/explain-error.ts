import { ApiError } from '../../api/error.ts'
import { meQuery } from '../../api/me.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidateModeration } from './mutations.ts'

/**
 * Does something, and has a refusal say what it means to whoever asked, and what to do next. What is shown is read again,
 * because it was not what the server has.
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
    throw new ApiError(status, code, explanation, { ...(reason && { reason: reason }), details, requestId })
  }
}

function explainError({ code, reason, message }: ApiError): string | null {
  if (code === 'version_mismatch') {
    return 'Somebody changed this case while you were here, so nothing was done. What you typed is kept: look at what is different now, then do it again.'
  }
  if (code === 'conflict') return `${message} Nothing was done: look at how things are now.`
  if (code === 'forbidden' && reason === 'missing_permission') {
    return 'Your roles do not allow this, as things are now. Nothing was done; whoever manages the roles can change that.'
  }
  if (code === 'forbidden' || code === 'not_found') return `${message} Nothing was done.`
  return null
}
