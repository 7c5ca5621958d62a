import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe, useWorkspace } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { type Member, membersKey } from './people-data.ts'

const formatRoleNames = (roles: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat('en').format(roles.map(({ name }) => `“${name}”`))

/** Removes members, or lets the user leave, after confirmation. */
export function useEndMembership() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: myId } = useMe()
  const { id: workspaceId, groupName } = useWorkspace()
  const deleteMembership = (accountId: string) =>
    unwrap(api.DELETE('/portal/api/members', { params: { query: { workspaceId, accountId } } }))

  const confirmRemove = ({ accountId, username, roles }: Member) =>
    openConfirmDialog({
      title: `Remove ${username} from ${groupName}?`,
      children:
        roles.length === 0
          ? `${username} will lose access to this workspace. Their past actions are kept under their name.`
          : `${username} will lose ${formatRoleNames(roles)} and access to this workspace. Their past actions are kept under their name.`,
      confirmLabel: `Remove ${username}`,
      isDestructive: true,
      run: async () => {
        await deleteMembership(accountId)
        await Promise.all([
          client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
          client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
        ])
        notifySuccess(`Removed ${username}.`)
      },
    })

  const confirmLeave = () =>
    openConfirmDialog({
      title: `Leave ${groupName}?`,
      children:
        'You will lose access to this workspace. To come back, you need an invitation from someone who manages its members.',
      confirmLabel: `Leave ${groupName}`,
      isDestructive: true,
      run: async () => {
        await deleteMembership(myId)
        await navigate({ to: '/workspaces' })
        await client.fetchQuery({ ...meQuery, staleTime: 0 })
        client.removeQueries({ queryKey: [workspaceId] })
        notifySuccess(`You left ${groupName}.`)
      },
    })

  return { confirmRemove, confirmLeave }
}
