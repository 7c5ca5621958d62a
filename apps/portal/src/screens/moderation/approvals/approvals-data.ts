import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { createNetworkError } from '../../../api/error.ts'
import { pagesQuery } from '../../../api/pages.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { invalidateModeration } from '../mutations.ts'
import { moderationKey } from '../queries.ts'

/** A request for the approval of a ban. */
export type Approval = Schemas['Approval']

/** The requests that wait for a decision; otherwise those in any state. */
export const approvalsQuery = (workspaceId: string, onlyPending: boolean) =>
  pagesQuery(moderationKey(workspaceId, 'approvals', onlyPending), async (cursor) => {
    const query = { workspaceId, ...(onlyPending && { state: 'pending' }), ...cursor }
    const page = await unwrap(api.GET('/api/moderation/approvals', { params: { query } }))
    if (!('approvals' in page)) throw createNetworkError()
    return page
  })

/** Approves or rejects a ban. @throws ApiError that says what to do */
export const decideApproval = (
  workspaceId: string,
  { id }: Approval,
  action: 'approve' | 'reject',
  reason: string,
): Promise<void> =>
  withExplainedErrors(workspaceId, async () => {
    const body = { workspaceId, id, action, ...(reason !== '' && { reason }) }
    await unwrap(api.POST('/api/moderation/approvals', { body }))
    await invalidateModeration(workspaceId)
  })
