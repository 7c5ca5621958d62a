import { Button, Text } from '@mantine/core'
import { api, unwrap } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { stopWatchingSession } from '../../api/session-expiry.ts'
import { Card } from '../../components/card.tsx'
import { ownKeysQuery } from '../../components/creator-keys.ts'
import { ownWebhooksQuery } from '../../components/creator-webhooks.ts'
import { openEndAccessDialog } from '../../components/end-access-dialog.tsx'
import { formatList } from '../../format/list.ts'

/** Deletes the user's account. */
export function DeleteAccountCard() {
  const { username, workspaces } = useMe()
  const owned = workspaces.filter(({ isOwner }) => isOwner)
  const confirmDelete = () =>
    openEndAccessDialog({
      title: `Delete your account ${username}?`,
      confirmLabel: 'Delete my account',
      keys: ownKeysQuery,
      webhooks: ownWebhooksQuery,
      creator: 'You',
      showsWorkspace: true,
      children:
        'You lose access to all workspaces, and your password, second factors and sessions are deleted. Records and audit entries keep your name. You cannot undo this.',
      run: async (revokeKeyIds, pauseWebhookIds) => {
        await unwrap(api.POST('/portal/api/account/delete', { body: { revokeKeyIds, pauseWebhookIds } }))
        stopWatchingSession()
        window.location.assign('/sign-in')
      },
    })
  return (
    <Card title="Delete account">
      <Text size="sm" mb="sm">
        {owned.length === 0
          ? 'Deletes everything you sign in with, and your memberships. What you did stays under your name.'
          : `You own ${formatList(owned.map(({ groupName }) => groupName))}. Transfer ownership first: only then can you delete your account.`}
      </Text>
      <Button variant="light" color="red" onClick={confirmDelete} disabled={owned.length > 0}>
        Delete account…
      </Button>
    </Card>
  )
}
