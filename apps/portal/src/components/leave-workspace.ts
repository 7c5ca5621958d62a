import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../api/client.ts'
import { meQuery, useMe, type Workspace } from '../api/me.ts'
import { memberKeysQuery } from './creator-keys.ts'
import { memberWebhooksQuery } from './creator-webhooks.ts'
import { openEndAccessDialog } from './end-access-dialog.tsx'
import { notifySuccess } from './toast.tsx'

/** Ends the membership of an account, revokes some of the API keys that it created, and pauses some of its webhooks. */
export const deleteMembership = (query: {
  readonly workspaceId: string
  readonly accountId: string
  readonly revokeKeyIds: string
  readonly pauseWebhookIds: string
}) => unwrap(api.DELETE('/portal/api/members', { params: { query } }))

/** Lets the user leave a workspace, after confirmation. */
export function useLeaveWorkspace(): (workspace: Pick<Workspace, 'id' | 'groupName'>) => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: myId } = useMe()
  return ({ id, groupName }) =>
    openEndAccessDialog({
      title: `Leave ${groupName}?`,
      children:
        'You will lose access to this workspace. To come back, you need an invitation from someone who manages its members.',
      confirmLabel: `Leave ${groupName}`,
      keys: memberKeysQuery(id, myId),
      webhooks: memberWebhooksQuery(id, myId),
      creator: 'You',
      run: async (revokeKeyIds, pauseWebhookIds) => {
        await deleteMembership({ workspaceId: id, accountId: myId, revokeKeyIds, pauseWebhookIds })
        await navigate({ to: '/workspaces' })
        await client.fetchQuery({ ...meQuery, staleTime: 0 })
        client.removeQueries({ queryKey: [id] })
        notifySuccess(`You left ${groupName}.`)
      },
    })
}
