import { api, ifMatch, type Schemas, unwrap } from '../../api/client.ts'
import { createNetworkError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { type ModerationRecord, moderationKey } from './queries.ts'
import type { EditableFields } from './record-fields.tsx'

/** The body of `POST /api/moderation`, without the workspace. */
export interface ModerationRequest extends Partial<Readonly<EditableFields>> {
  readonly action: string
  readonly userId?: string
  readonly id?: string
  readonly durationSeconds?: string
  readonly value?: string
  readonly templateId?: string
  readonly evidenceFiles?: string
  readonly replaces?: string
}

/**
 * Submits a moderation action and refetches everything that shows records.
 * @param version the version that the user has seen, to fail instead of overwriting newer changes
 * @returns the created or changed record, and the request for approval of a ban that needs one
 * @throws ApiError if the server refuses the action or cannot be reached
 */
export async function submitModeration(
  workspaceId: string,
  request: ModerationRequest,
  version?: string,
): Promise<{ readonly record: ModerationRecord; readonly approval?: Schemas['Approval'] | undefined }> {
  const body = { workspaceId, ...request }
  const headers = version === undefined ? {} : ifMatch(version)
  const response = await unwrap(api.POST('/api/moderation', { body, headers }))
  if (!('record' in response)) throw createNetworkError()
  await invalidateModeration(workspaceId)
  return response
}

/** Waits for the refetch of visible queries; their errors are shown where they are used. */
export const invalidateModeration = (workspaceId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: moderationKey(workspaceId) })
