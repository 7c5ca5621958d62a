import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { type AccountRow, useOperatorRefresh } from './operator-data.ts'

/** The changes of an account that are asked about first. */
export function useAccountActions({ id, username, workspaces }: AccountRow) {
  const client = useQueryClient()
  const { id: ownId } = useMe()
  const refresh = useOperatorRefresh()
  const update = async (patch: { readonly isOperator?: string; readonly disabled?: string }) => {
    await unwrap(api.PATCH('/admin/api/accounts', { body: { id, ...patch } }))
    if (id === ownId) await client.invalidateQueries({ queryKey: meQuery.queryKey })
    await refresh()
  }
  return {
    grantOperator: () =>
      openConfirmDialog({
        title: `Make ${username} an operator?`,
        confirmLabel: 'Make it an operator',
        children:
          'Operators see every account and every workspace of this instance by name, make and disable accounts, set ' +
          'passwords and quotas. They do not see into workspaces that they are no member of.',
        run: async () => {
          await update({ isOperator: 'true' })
          notifySuccess(`${username} operates this instance now.`)
        },
      }),
    revokeOperator: () =>
      openConfirmDialog({
        title: `Take operating away from ${id === ownId ? 'yourself' : username}?`,
        confirmLabel: 'Take it away',
        isDestructive: true,
        children:
          id === ownId
            ? 'You leave these screens at once, and only another operator can bring you back.'
            : 'It can still sign in, and stays a member where it is one. It operates this instance no more.',
        run: async () => {
          await update({ isOperator: 'false' })
          notifySuccess(`${id === ownId ? 'You operate' : `${username} operates`} this instance no more.`)
        },
      }),
    disable: () =>
      openConfirmDialog({
        title: `Disable ${username}?`,
        confirmLabel: 'Disable the account',
        isDestructive: true,
        children: `It is signed out everywhere and cannot sign in any more. What it made stays, API keys too; it stays a member of ${pluralize(workspaces, 'workspace')}. It can be enabled again.`,
        run: async () => {
          await update({ disabled: 'true' })
          notifySuccess(`${username} is disabled.`, {
            label: 'Enable',
            run: () => update({ disabled: 'false' }),
          })
        },
      }),
    enable: () =>
      openConfirmDialog({
        title: `Enable ${username}?`,
        confirmLabel: 'Enable the account',
        children: 'It can sign in again with its password, and do what its roles allow.',
        run: async () => {
          await update({ disabled: 'false' })
          notifySuccess(`${username} can sign in again.`)
        },
      }),
  }
}
