import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe, useWorkspace } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { type Member, membersKey } from './people-data.ts'

const formatRoleNames = (roles: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat('en').format(roles.map(({ name }) => `“${name}”`))

/** Ends memberships: of others, or the reader's own. */
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
          ? `${username} can no longer open this workspace. What they did stays, with their name.`
          : `${username} loses ${formatRoleNames(roles)} and can no longer open this workspace, from now on. What they did stays, with their name.`,
      confirmLabel: `Remove ${username}`,
      isDestructive: true,
      run: async () => {
        await deleteMembership(accountId)
        await Promise.all([
          client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
          client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
        ])
        notifySuccess(`${username} was removed.`)
      },
    })

  const confirmLeave = () =>
    openConfirmDialog({
      title: `Leave ${groupName}?`,
      children:
        'You can no longer open this workspace. Somebody who manages its members has to invite you to come back.',
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
