import { Badge, Button, Group, Text, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { loadCode } from '../../../app/load-code.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { openModal } from '../../../components/modals.tsx'
import { RowList } from '../../../components/row-list.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { type PlayerFacts, type PlayerLink, useActorNames } from '../queries.ts'
import { submitLink } from '../teamwork/queries.ts'
import classes from './player-links.module.css'

interface Props {
  readonly userId: string
  readonly facts: PlayerFacts
}

/** The other players who may be the same person. */
export function PlayerLinks({ userId, facts: { links, linkedBans } }: Props) {
  const { id: workspaceId } = useWorkspace()
  const canLink = useHasPermission('moderation.link')
  const names = useActorNames(
    workspaceId,
    links.map(({ createdBy }) => createdBy),
  )
  if (links.length === 0 && !canLink) return null
  const banned = new Set(linkedBans.map((ban) => ban.userId))
  const openLink = (link: PlayerLink | null) =>
    void loadCode(() => import('./link-form.tsx')).then(
      ({ LinkForm }) =>
        openModal({
          title: link ? `Change the link to ${link.linkedUserId}` : `Link a player to ${userId}`,
          closeOnClickOutside: false,
          render: (close) => <LinkForm workspaceId={workspaceId} userId={userId} link={link} close={close} />,
        }),
      notifyError,
    )
  return (
    <section aria-label="Linked players">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Linked players</Title>
        {canLink ? (
          <WriteGuard endpoint="moderation">
            <Button
              variant="default"
              size="compact-md"
              fz="sm"
              leftSection={<IconLink size={16} aria-hidden />}
              onClick={() => openLink(null)}
            >
              Link a player
            </Button>
          </WriteGuard>
        ) : null}
      </Group>
      {links.length === 0 ? (
        <Text size="sm" c="dimmed">
          No links. Link players who may be the same person: staff see it on the pages of both, and nobody is
          banned by it.
        </Text>
      ) : (
        <RowList label="Linked players" rows={links} rowKey={({ id }) => id}>
          {(link) => (
            <div className={classes.link}>
              <div className={classes.main}>
                <Link
                  to="/w/$workspaceId/moderation/players/$userId"
                  params={{ workspaceId, userId: link.linkedUserId }}
                  className={classes.player}
                >
                  {link.linkedUserId}
                </Link>{' '}
                <Badge variant="light" color="gray">
                  {link.confidence} confidence
                </Badge>{' '}
                {banned.has(link.linkedUserId) ? (
                  <Badge variant="light" color="red">
                    Banned
                  </Badge>
                ) : null}
                <Text size="sm" component="div" className={classes.reason}>
                  <bdi>{link.reason}</bdi>
                </Text>
                <Text size="xs" c="dimmed" component="div">
                  by <bdi>{names.get(link.createdBy) ?? 'a former member'}</bdi>,{' '}
                  <FormattedTime value={link.createdAt} />
                </Text>
              </div>
              {canLink ? (
                <Group gap="xs">
                  <WriteGuard endpoint="moderation">
                    <Button
                      variant="default"
                      size="compact-md"
                      fz="sm"
                      aria-label={`Change the link to ${link.linkedUserId}`}
                      onClick={() => openLink(link)}
                    >
                      Change
                    </Button>
                  </WriteGuard>
                  <WriteGuard endpoint="moderation">
                    <Button
                      variant="default"
                      size="compact-md"
                      fz="sm"
                      aria-label={`Delete the link to ${link.linkedUserId}`}
                      onClick={() => openDelete(workspaceId, link)}
                    >
                      Delete
                    </Button>
                  </WriteGuard>
                </Group>
              ) : null}
            </div>
          )}
        </RowList>
      )}
    </section>
  )
}

const openDelete = (workspaceId: string, { id, userId, linkedUserId }: PlayerLink): void =>
  openConfirmDialog({
    title: `Delete the link between ${userId} and ${linkedUserId}?`,
    children: 'Bans and cases of both players stay as they are. The audit log keeps the link and its reason.',
    confirmLabel: 'Delete link',
    isDestructive: true,
    run: async () => {
      await submitLink(workspaceId, { action: 'delete', id })
      notifySuccess('Deleted the link.')
    },
  })
