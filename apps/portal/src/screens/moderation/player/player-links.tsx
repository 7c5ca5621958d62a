import { Anchor, Badge, Group, Text, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { loadCode } from '../../../app/load-code.ts'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { openModal } from '../../../components/modals.tsx'
import { RowList } from '../../../components/row-list.tsx'
import { SmallButton } from '../../../components/small-button.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { formatPlayerName } from '../../../format/player-name.ts'
import { PlayerLabel } from '../badges.tsx'
import { type PlayerFacts, type PlayerLink, type PlayerSummary, useActorNames } from '../queries.ts'
import { submitLink } from '../teamwork/queries.ts'
import { SanctionSummary } from './active-sanctions.tsx'
import classes from './player-links.module.css'

interface Props {
  readonly userId: string
  readonly facts: PlayerFacts
}

/** The other players who may be the same person. */
export function PlayerLinks({ userId, facts: { player, links, linkedPlayers } }: Props) {
  const { id: workspaceId } = useWorkspace()
  const canLink = useHasPermission('moderation.link')
  const names = useActorNames(
    workspaceId,
    links.map(({ createdBy }) => createdBy),
  )
  if (links.length === 0 && !canLink) return null
  const linkedById = new Map(linkedPlayers.map((linked) => [linked.userId, linked]))
  const playerLabel = formatPlayerName({ userId, userUsername: player?.userUsername ?? null })
  const toLinkedLabel = ({ linkedUserId }: PlayerLink) =>
    formatPlayerName({
      userId: linkedUserId,
      userUsername: linkedById.get(linkedUserId)?.userUsername ?? null,
    })
  const openLink = (link: PlayerLink | null) =>
    void loadCode(() => import('./link-form.tsx')).then(
      ({ LinkForm }) =>
        openModal({
          title: link ? `Change the link to ${toLinkedLabel(link)}` : `Link a player to ${playerLabel}`,
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
            <SmallButton leftSection={<IconLink size={16} aria-hidden />} onClick={() => openLink(null)}>
              Link a player
            </SmallButton>
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
          {(link) => {
            const linkedLabel = toLinkedLabel(link)
            const linked = linkedById.get(link.linkedUserId)
            return (
              <div className={classes.link}>
                <div className={classes.main}>
                  <Link
                    to="/w/$workspaceId/moderation/players/$userId"
                    params={{ workspaceId, userId: link.linkedUserId }}
                    className={classes.player}
                  >
                    <PlayerLabel userId={link.linkedUserId} userUsername={linked?.userUsername ?? null} />
                  </Link>{' '}
                  <Badge variant="light" color="gray">
                    {link.confidence} confidence
                  </Badge>
                  {linked ? <LinkedSanctions player={linked} /> : null}
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
                      <SmallButton
                        aria-label={`Change the link to ${linkedLabel}`}
                        onClick={() => openLink(link)}
                      >
                        Change
                      </SmallButton>
                    </WriteGuard>
                    <WriteGuard endpoint="moderation">
                      <SmallButton
                        aria-label={`Delete the link to ${linkedLabel}`}
                        onClick={() => openDelete(workspaceId, link.id, playerLabel, linkedLabel)}
                      >
                        Delete
                      </SmallButton>
                    </WriteGuard>
                  </Group>
                ) : null}
              </div>
            )
          }}
        </RowList>
      )}
    </section>
  )
}

/** The active ban and mute of a linked player, with the reason of the ban. */
function LinkedSanctions({ player: { ban, mute } }: { readonly player: PlayerSummary }) {
  const { id: workspaceId } = useWorkspace()
  if (!ban && !mute) return null
  return (
    <Text size="sm" component="div" lineClamp={3}>
      <SanctionSummary ban={ban} mute={mute} />
      {ban ? (
        <>
          {' · '}
          <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${ban.id}`} underline="always">
            Case {ban.caseNumber}
          </Anchor>
          : {ban.reason === null ? 'the reason was redacted' : <bdi>{ban.reason}</bdi>}
        </>
      ) : null}
    </Text>
  )
}

const openDelete = (workspaceId: string, id: string, playerLabel: string, linkedLabel: string): void =>
  openConfirmDialog({
    title: `Delete the link between ${playerLabel} and ${linkedLabel}?`,
    children: 'Bans and cases of both players stay as they are. The audit log keeps the link and its reason.',
    confirmLabel: 'Delete link',
    isDestructive: true,
    run: async () => {
      await submitLink(workspaceId, { action: 'delete', id })
      notifySuccess('Deleted the link.')
    },
  })
