import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/me.ts'
import { confirm } from '../../components/confirm.tsx'
import { tellDone } from '../../components/tell.tsx'
import { count } from '../../format/number.ts'
import { type AccountRow, useOperatorRefresh } from './data.ts'

/** The changes of an account that are asked about first. */
export function useAccountChange({ id, username, workspaces }: AccountRow) {
  const client = useQueryClient()
  const { id: ownId } = useMe()
  const refresh = useOperatorRefresh()
  const change = async (to: { readonly isOperator?: string; readonly disabled?: string }) => {
    await take(api.PATCH('/admin/api/accounts', { body: { id, ...to } }))
    if (id === ownId) await client.invalidateQueries({ queryKey: meQuery.queryKey })
    await refresh()
  }
  return {
    makeOperator: () =>
      confirm({
        title: `Make ${username} an operator?`,
        action: 'Make it an operator',
        children:
          'Operators see every account and every workspace of this instance by name, make and disable accounts, set ' +
          'passwords and quotas. They do not see into workspaces that they are no member of.',
        run: async () => {
          await change({ isOperator: 'true' })
          tellDone(`${username} operates this instance now.`)
        },
      }),
    unmakeOperator: () =>
      confirm({
        title: `Take operating away from ${id === ownId ? 'yourself' : username}?`,
        action: 'Take it away',
        isDestructive: true,
        children:
          id === ownId
            ? 'You leave these screens at once, and only another operator can bring you back.'
            : 'It can still sign in, and stays a member where it is one. It operates this instance no more.',
        run: async () => {
          await change({ isOperator: 'false' })
          tellDone(`${id === ownId ? 'You operate' : `${username} operates`} this instance no more.`)
        },
      }),
    disable: () =>
      confirm({
        title: `Disable ${username}?`,
        action: 'Disable the account',
        isDestructive: true,
        children: `It is signed out everywhere and cannot sign in any more. What it made stays, API keys too; it stays a member of ${count(workspaces, 'workspace')}. It can be enabled again.`,
        run: async () => {
          await change({ disabled: 'true' })
          tellDone(`${username} is disabled.`, { label: 'Enable', run: () => change({ disabled: 'false' }) })
        },
      }),
    enable: () =>
      confirm({
        title: `Enable ${username}?`,
        action: 'Enable the account',
        children: 'It can sign in again with its password, and do what its roles allow.',
        run: async () => {
          await change({ disabled: 'false' })
          tellDone(`${username} can sign in again.`)
        },
      }),
  }
}
