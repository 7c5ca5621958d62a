import { isVersionMismatch } from '../../../api/error.ts'
import { queryClient } from '../../../api/query-client.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { type ModerationRequest, submitModeration } from '../mutations.ts'
import { type ModerationRecord, recordHistoryQuery } from '../queries.ts'

/** The newest version of a record that the case page has loaded. */
export const getLatestRecord = (workspaceId: string, record: ModerationRecord): ModerationRecord =>
  queryClient.getQueryData(recordHistoryQuery(workspaceId, record.id).queryKey)?.record ?? record

/**
 * Creates a function that submits changes against the version that the user has seen. After a version mismatch, the
 * next attempt is against the version that has been loaded since.
 */
export function createVersionedSubmit(
  workspaceId: string,
  record: ModerationRecord,
): (request: ModerationRequest) => Promise<ModerationRecord> {
  let { version } = record
  return async (request) => {
    try {
      const submit = () => submitModeration(workspaceId, request, version)
      return (await withExplainedErrors(workspaceId, submit)).record
    } catch (error) {
      if (isVersionMismatch(error)) version = getLatestRecord(workspaceId, record).version
      throw error
    }
  }
}
