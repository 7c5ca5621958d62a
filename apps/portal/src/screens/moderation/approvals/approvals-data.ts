import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../../api/client.ts'
import { createNetworkError } from '../../../api/error.ts'
import { pagesQuery } from '../../../api/pages.ts'
import { refetchAtExpiry } from '../../../api/refetch-at-expiry.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { invalidateModeration } from '../mutations.ts'
import { moderationKey } from '../queries.ts'

/** A request for the approval of a ban. */
export type Approval = Schemas['Approval']

export type ApprovalAction = 'approve' | 'reject'

/** Until when a request waits for a decision; null if it does not. */
const getDeadline = ({ state, expiresAt }: Approval): string | null =>
  state === 'pending' ? expiresAt : null

/** The requests that wait for a decision; otherwise those in any state. */
export const approvalsQuery = (workspaceId: string, onlyPending: boolean) =>
  pagesQuery(
    moderationKey(workspaceId, 'approvals', onlyPending),
    async (cursor) => {
      const query = { workspaceId, ...(onlyPending && { state: 'pending' }), ...cursor }
      const page = await unwrap(api.GET('/api/moderation/approvals', { params: { query } }))
      if (!('approvals' in page)) throw createNetworkError()
      return page
    },
    { listExpiryTimes: ({ approvals }) => approvals.map(getDeadline) },
  )

/** One request, in whatever state it is now. @param shown what is known of it until it is read again */
export const approvalQuery = (workspaceId: string, shown: Approval) =>
  queryOptions({
    queryKey: moderationKey(workspaceId, 'approvals', shown.id),
    queryFn: async (): Promise<Approval> => {
      const query = { workspaceId, id: shown.id }
      const response = await unwrap(api.GET('/api/moderation/approvals', { params: { query } }))
      if (!('approval' in response)) throw createNetworkError()
      return response.approval
    },
    initialData: shown,
    refetchInterval: refetchAtExpiry<Approval>((approval) => [getDeadline(approval)]),
  })

/** Approves or rejects a ban. @throws ApiError that says what to do */
export const decideApproval = (
  workspaceId: string,
  { id }: Approval,
  action: ApprovalAction,
  reason: string,
): Promise<void> =>
  withExplainedErrors(workspaceId, async () => {
    const body = { workspaceId, id, action, ...(reason !== '' && { reason }) }
    await unwrap(api.POST('/api/moderation/approvals', { body }))
    await invalidateModeration(workspaceId)
  })
