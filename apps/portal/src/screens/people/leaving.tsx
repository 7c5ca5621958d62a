import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '../../api/client.ts'
import { meQuery, useMe, useWorkspace } from '../../api/me.ts'
import { confirm } from '../../components/confirm.tsx'
import { tellDone } from '../../components/tell.tsx'
import { type Member, membersKey } from './people-data.ts'

const roleNames = (roles: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat('en').format(roles.map(({ name }) => `“${name}”`))

/** Ends memberships: of others, or the reader's own. */
export function useLeaving() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id: myId } = useMe()
  const { id: workspaceId, groupName } = useWorkspace()
  const end = (accountId: string) =>
    take(api.DELETE('/portal/api/members', { params: { query: { workspaceId, accountId } } }))

  const askToRemove = ({ accountId, username, roles }: Member) =>
    confirm({
      title: `Remove ${username} from ${groupName}?`,
      children:
        roles.length === 0
          ? `${username} can no longer open this workspace. What they did stays, with their name.`
          : `${username} loses ${roleNames(roles)} and can no longer open this workspace, from now on. What they did stays, with their name.`,
      action: `Remove ${username}`,
      isDestructive: true,
      run: async () => {
        await end(accountId)
        await Promise.all([
          client.invalidateQueries({ queryKey: membersKey(workspaceId) }),
          client.invalidateQueries({ queryKey: [workspaceId, 'roles'] }),
        ])
        tellDone(`${username} was removed.`)
      },
    })

  const askToLeave = () =>
    confirm({
      title: `Leave ${groupName}?`,
      children:
        'You can no longer open this workspace. Somebody who manages its members has to invite you to come back.',
      action: `Leave ${groupName}`,
      isDestructive: true,
      run: async () => {
        await end(myId)
        await navigate({ to: '/workspaces' })
        await client.fetchQuery({ ...meQuery, staleTime: 0 })
        client.removeQueries({ queryKey: [workspaceId] })
        tellDone(`You left ${groupName}.`)
      },
    })

  return { askToRemove, askToLeave }
}
