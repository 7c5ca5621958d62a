import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { accountKeysQuery } from '../../components/creator-keys.ts'
import { accountWebhooksQuery } from '../../components/creator-webhooks.ts'
import { openEndAccessDialog } from '../../components/end-access-dialog.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { type AccountRow, useOperatorRefresh } from './operator-data.ts'

/** Account actions that need confirmation. */
export function useAccountActions({ id, username, workspaces }: AccountRow) {
  const client = useQueryClient()
  const { id: ownId } = useMe()
  const refresh = useOperatorRefresh()
  const update = async (patch: {
    readonly isOperator?: string
    readonly disabled?: string
    readonly revokeKeyIds?: string
    readonly pauseWebhookIds?: string
  }) => {
    await unwrap(api.PATCH('/admin/api/accounts', { body: { id, ...patch } }))
    if (id === ownId) await client.invalidateQueries({ queryKey: meQuery.queryKey })
    await refresh()
  }
  return {
    grantOperator: () =>
      openConfirmDialog({
        title: `Make ${username} an operator?`,
        confirmLabel: 'Make operator',
        children:
          'Operators can list all accounts and workspaces of this instance, create and disable accounts, create ' +
          'links that set passwords, and set quotas. They cannot see the content of workspaces of which they are not members.',
        run: async () => {
          await update({ isOperator: 'true' })
          notifySuccess(`${username} is now an operator.`)
        },
      }),
    revokeOperator: () =>
      openConfirmDialog({
        title: id === ownId ? 'Revoke your own operator access?' : `Revoke operator access of ${username}?`,
        confirmLabel: 'Revoke operator access',
        isDestructive: true,
        children:
          id === ownId
            ? 'You will lose access to these screens immediately, and only another operator can restore it.'
            : 'They can still sign in and keep their memberships, but can no longer manage this instance.',
        run: async () => {
          await update({ isOperator: 'false' })
          notifySuccess(`${id === ownId ? 'You are' : `${username} is`} no longer an operator.`)
        },
      }),
    resetFactors: () =>
      openConfirmDialog({
        title: `Reset the second factors of ${username}?`,
        confirmLabel: 'Reset second factors',
        isDestructive: true,
        children:
          'Their authenticator app, passkeys and recovery codes stop working, and they are signed out everywhere. Until they ' +
          'add a new one, their password alone is enough to sign in; if they have none, create a password link. Make sure that it is ' +
          'really them who ask for it.',
        run: async () => {
          await unwrap(api.POST('/admin/api/accounts/factors/reset', { body: { id } }))
          await refresh()
          notifySuccess(`Reset the second factors of ${username}.`)
        },
      }),
    disable: () =>
      openEndAccessDialog({
        title: `Disable ${username}?`,
        confirmLabel: 'Disable account',
        keys: accountKeysQuery(id),
        webhooks: accountWebhooksQuery(id),
        creator: username,
        showsWorkspace: true,
        children: `They will be signed out everywhere and can no longer sign in. Their content and memberships (${pluralize(workspaces, 'workspace')}) are kept. You can enable the account again.`,
        run: async (revokeKeyIds, pauseWebhookIds) => {
          await update({ disabled: 'true', revokeKeyIds, pauseWebhookIds })
          notifySuccess(`Disabled ${username}.`, {
            label: 'Enable',
            run: () => update({ disabled: 'false' }),
          })
        },
      }),
    remove: () =>
      openEndAccessDialog({
        title: `Delete ${username}?`,
        confirmLabel: 'Delete account',
        keys: accountKeysQuery(id),
        webhooks: accountWebhooksQuery(id),
        creator: username,
        showsWorkspace: true,
        children: `Their password, second factors, sessions and memberships (${pluralize(workspaces, 'workspace')}) are deleted. Records and audit entries keep their name. The username can be used again. You cannot undo this.`,
        run: async (revokeKeyIds, pauseWebhookIds) => {
          const query = { id, revokeKeyIds, pauseWebhookIds }
          await unwrap(api.DELETE('/admin/api/accounts', { params: { query } }))
          await refresh()
          notifySuccess(`Deleted ${username}.`)
        },
      }),
    enable: () =>
      openConfirmDialog({
        title: `Enable ${username}?`,
        confirmLabel: 'Enable account',
        children: 'They can sign in again with their password and regain their permissions.',
        run: async () => {
          await update({ disabled: 'false' })
          notifySuccess(`Enabled ${username}.`)
        },
      }),
  }
}
