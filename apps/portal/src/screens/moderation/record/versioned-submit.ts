import { ApiError } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import { type ModerationRecord, recordHistoryQuery } from '../queries.ts'

/** A record as it was read last, while its page is shown. */
export const getLatestRecord = (workspaceId: string, record: ModerationRecord): ModerationRecord =>
  queryClient.getQueryData(recordHistoryQuery(workspaceId, record.id).queryKey)?.record ?? record

export const isVersionMismatch = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'version_mismatch'

/**
 * Changes a record as the reader was shown it. Where somebody was quicker that is refused, and from then on it is what
 * they were shown since.
 */
export function createVersionedSubmit(
  workspaceId: string,
  record: ModerationRecord,
): (request: ModerationRequest) => Promise<ModerationRecord> {
  let { version } = record
  return async (request) => {
    try {
      return await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request, version))
    } catch (error) {
      if (isVersionMismatch(error)) version = getLatestRecord(workspaceId, record).version
      throw error
    }
  }
}
