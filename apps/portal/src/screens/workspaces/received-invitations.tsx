import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, unwrap } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DataList } from '../../components/data-list.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { openReportDialog } from '../../components/report-workspace.tsx'
import { RoleBadge } from '../../components/role-badge.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import classes from './workspaces.module.css'

const readReceived = (cursor: { readonly cursor?: string }) =>
  unwrap(api.GET('/portal/api/invitations/received', { params: { query: cursor } }))

type ReceivedInvitation = Awaited<ReturnType<typeof readReceived>>['invitations'][number]

const receivedKey = ['received-invitations'] as const

/** The invitations that the user has received by username. */
export function ReceivedInvitations() {
  const pages = usePages(receivedKey, readReceived)
  return (
    <Card id="invitations" title="Invitations" mb="md">
      <DataList
        pages={pages}
        label="Invitations"
        rows={({ invitations }) => invitations}
        rowKey={({ id }) => id}
        empty={
          <Text size="sm" c="dimmed">
            You have no invitations.
          </Text>
        }
      >
        {(invitation) => <InvitationRow invitation={invitation} />}
      </DataList>
    </Card>
  )
}

/** Why an invitation cannot be accepted; null if it can. */
function explainCannotAccept({ valid, status, invitedBy }: ReceivedInvitation): string | null {
  if (valid !== 'true')
    return `${formatActorName(invitedBy)} can no longer invite members, so this invitation cannot be accepted.`
  return status === 'archived'
    ? 'This workspace is archived. You can accept the invitation once it has been restored.'
    : null
}

function InvitationRow({ invitation }: { readonly invitation: ReceivedInvitation }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, workspaceId, groupName, invitedBy, roles, expiresAt } = invitation
  const problem = explainCannotAccept(invitation)
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: receivedKey }),
      client.fetchQuery({ ...meQuery, staleTime: 0 }),
    ])
  const accept = useMutation({
    mutationFn: () => unwrap(api.POST('/portal/api/invitation/accept', { body: { id } })),
    onSuccess: async () => {
      await refresh()
      await navigate({ to: '/w/$workspaceId', params: { workspaceId } })
      notifySuccess(`Welcome to ${groupName}.`)
    },
    onError: notifyError,
  })
  const decline = () =>
    openConfirmDialog({
      title: `Decline the invitation to ${groupName}?`,
      children: (
        <>
          {invitedBy === null ? 'The workspace' : <bdi>{invitedBy}</bdi>} sees that you declined. To join
          later, you need a new invitation.
        </>
      ),
      confirmLabel: 'Decline invitation',
      isDestructive: true,
      run: async () => {
        await unwrap(api.POST('/portal/api/invitations/decline', { body: { id } }))
        await refresh()
        notifySuccess(`Declined the invitation to ${groupName}.`)
      },
    })
  return (
    <div className={classes.invitation}>
      <div className={classes.invitationText}>
        <Text component="bdi" fw={600} size="sm">
          {groupName}
        </Text>
        <Text size="sm" c="dimmed">
          Invited by <bdi>{formatActorName(invitedBy)}</bdi> · valid until{' '}
          <FormattedTime value={expiresAt} format="dateTime" />
        </Text>
        {roles.length === 0 ? null : (
          <Group gap={6} mt={6}>
            {roles.map((role) => (
              <RoleBadge key={role.id} role={role} />
            ))}
          </Group>
        )}
        {problem === null ? null : (
          <Text size="sm" mt={6}>
            {problem}
          </Text>
        )}
      </div>
      <Group gap="sm">
        {problem === null ? (
          <Button
            size="sm"
            loading={accept.isPending}
            onClick={() => accept.mutate()}
            aria-label={`Accept: ${groupName}`}
          >
            Accept
          </Button>
        ) : null}
        <Button variant="default" size="sm" onClick={decline} aria-label={`Decline: ${groupName}`}>
          Decline
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          onClick={() => openReportDialog({ id: workspaceId, groupName })}
          aria-label={`Report ${groupName}`}
        >
          Report…
        </Button>
      </Group>
    </div>
  )
}
