import { api, ifMatch, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { type ModerationRecord, moderationKey } from './queries.ts'

/** A change of the records, in the words of the interface. */
export interface ModerationRequest {
  readonly action: string
  readonly userId?: string
  readonly userUsername?: string
  readonly id?: string
  readonly reason?: string
  readonly severity?: string
  readonly durationSeconds?: string
  readonly evidence?: string
  readonly value?: string
}

/**
 * Carries a change out, and has everything that shows records read again.
 * @param version the record's, where what somebody else changed meanwhile must not be gone over
 * @returns the record it made or changed
 */
export async function submitModeration(
  workspaceId: string,
  request: ModerationRequest,
  version?: string,
): Promise<ModerationRecord> {
  const body = { workspaceId, ...request }
  const headers = version === undefined ? {} : ifMatch(version)
  const response = await unwrap(api.POST('/api/moderation', { body, headers }))
  if (!('record' in response)) throw createNetworkError()
  await invalidateModeration(workspaceId)
  return response.record
}

/** What is shown is waited for; what cannot be read now is told where it is shown. */
export const invalidateModeration = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: moderationKey(workspaceId) })
