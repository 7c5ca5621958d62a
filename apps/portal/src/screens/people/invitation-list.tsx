import { Badge, Button, Group, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { useHasPermission, useMe, useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { formatDateTime } from '../../format/time.ts'
import classes from './invitation-list.module.css'
import { type Invitation, invitationsKey, readInvitations } from './people-data.ts'

/** The pending invitations, newest first. */
export function InvitationList({ invite }: { readonly invite: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const canInvite = useHasPermission('members.manage')
  const pages = usePages(invitationsKey(workspaceId), (cursor) => readInvitations({ workspaceId, ...cursor }))
  return (
    <DataList
      pages={pages}
      label="Pending invitations"
      rows={({ invitations }) => invitations}
      rowKey={({ id }) => id}
      empty={
        <EmptyState
          icon={IconMailForward}
          title="No pending invitations"
          action={
            canInvite ? (
              <WriteGuard endpoint={null}>
                <Button onClick={invite}>Invite someone</Button>
              </WriteGuard>
            ) : null
          }
        >
          An invitation is a link for one person, or goes to a username, and grants the roles you choose. It
          works once, until it expires. Invitations that have not been accepted yet appear here.
        </EmptyState>
      }
    >
      {(invitation) => <InvitationRow invitation={invitation} />}
    </DataList>
  )
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const client = useQueryClient()
  const { id: myId } = useMe()
  const { id: workspaceId, groupName } = useWorkspace()
  const { id, roles, username, note, createdBy, createdByUsername, createdAt, expiresAt } = invitation
  const isValid = invitation.valid === 'true'
  const creatorName = formatActorName(createdByUsername)
  const creator = createdBy === myId ? 'you' : creatorName
  const title = username ?? note
  const name = title ?? `by ${creator}, ${formatDateTime(createdAt)}`
  const withdraw = () =>
    openConfirmDialog({
      title: `Withdraw the invitation ${title === null ? name : `“${title}”`}?`,
      children:
        username === null
          ? `The link can no longer be used to join ${groupName}.`
          : `${username} can no longer join ${groupName} with it.`,
      confirmLabel: 'Withdraw invitation',
      isDestructive: true,
      run: async () => {
        await unwrap(api.DELETE('/portal/api/invitations', { params: { query: { workspaceId, id } } }))
        await client.invalidateQueries({ queryKey: invitationsKey(workspaceId) })
        notifySuccess('Withdrew the invitation.')
      },
    })
  return (
    <div className={classes.row} data-invalid={!isValid || undefined}>
      <div className={classes.text}>
        <Group gap="xs">
          <Text component="bdi" size="sm" fw={600}>
            {title ?? 'Invitation'}
          </Text>
          {username === null ? null : (
            <Badge size="sm" variant="light">
              By username
            </Badge>
          )}
          {isValid ? null : (
            <Badge size="sm" variant="light" color="gray">
              Cannot be accepted
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          Created by <bdi>{creator}</bdi> <FormattedTime value={createdAt} /> ·{' '}
          {isValid ? (
            <>
              valid until <FormattedTime value={expiresAt} format="dateTime" />
            </>
          ) : (
            <>
              <bdi>{creatorName}</bdi> can no longer invite members
            </>
          )}
        </Text>
        <Group gap={6} mt={6}>
          {roles.length === 0 ? (
            <Text size="sm" c="dimmed">
              No roles
            </Text>
          ) : (
            roles.map((role) => <RoleBadge key={role.id} role={role} />)
          )}
        </Group>
      </div>
      <Button variant="default" size="sm" onClick={withdraw} aria-label={`Withdraw: ${name}`}>
        Withdraw
      </Button>
    </div>
  )
}
