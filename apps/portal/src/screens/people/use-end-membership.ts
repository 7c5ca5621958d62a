import { useQueryClient } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { memberKeysQuery } from '../../components/creator-keys.ts'
import { memberWebhooksQuery } from '../../components/creator-webhooks.ts'
import { openEndAccessDialog } from '../../components/end-access-dialog.tsx'
import { deleteMembership, useLeaveWorkspace } from '../../components/leave-workspace.ts'
import { notifySuccess } from '../../components/toast.tsx'
import { formatList } from '../../format/list.ts'
import { type Member, membersKey } from './people-data.ts'

const formatRoleNames = (roles: readonly { readonly name: string }[]): string =>
  formatList(roles.map(({ name }) => `“${name}”`))

/** Removes members, or lets the user leave, after confirmation. */
export function useEndMembership() {
  const client = useQueryClient()
  const leave = useLeaveWorkspace()
  const { id: workspaceId, groupName } = useWorkspace()
  const confirmRemove = ({ accountId, username, roles }: Member) =>
    openEndAccessDialog({
      title: `Remove ${username} from ${groupName}?`,
      children:
        roles.length === 0
          ? `${username} will lose access to this workspace. Their past actions are kept under their name.`
          : `${username} will lose ${formatRoleNames(roles)} and access to this workspace. Their past actions are kept under their name.`,
      confirmLabel: `Remove ${username}`,
      keys: memberKeysQuery(workspaceId, accountId),
      webhooks: memberWebhooksQuery(workspaceId, accountId),
      creator: username,
      run: async (revokeKeyIds, pauseWebhookIds) => {
        await deleteMembership({ workspaceId, accountId, revokeKeyIds, pauseWebhookIds })
        await Promise.all([
          client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
          client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
        ])
        notifySuccess(`Removed ${username}.`)
      },
    })

  const confirmLeave = () => leave({ id: workspaceId, groupName })

  return { confirmRemove, confirmLeave }
}
