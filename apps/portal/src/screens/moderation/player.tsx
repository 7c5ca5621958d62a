import { Button, Group, Stack, Title } from '@mantine/core'
import {
  CREATE_PERMISSIONS,
  LIFT_PERMISSIONS,
  type RecordAction,
  recordActions,
  resolvePlayerId,
  wire,
} from '@reeve/core'
import { IconHistoryOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { parseFilters } from '../../app/filter-parsers.ts'
import { CopyTextButton } from '../../components/copy-button.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { useEndpointState, WriteGuard } from '../../components/endpoint-state.tsx'
import { KeyLabel } from '../../components/key-label.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { useKeyHint, useShortcut } from '../../components/shortcuts.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { pluralize } from '../../format/number.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { TemplateKeys } from './action/template-keys.tsx'
import type { ActionRequest } from './action/use-action-form.ts'
import { actionInfo } from './action-labels.ts'
import { PlayerLabel } from './badges.tsx'
import { openLiftDialog } from './lift-dialog.tsx'
import { ActiveSanctions } from './player/active-sanctions.tsx'
import { OtherNames } from './player/other-names.tsx'
import { PinnedNotes } from './player/pinned-notes.tsx'
import { PlayerLinks } from './player/player-links.tsx'
import { isPlayerId } from './player/player-lookup.ts'
import { PlayerMenu } from './player/player-menu.tsx'
import { ProfileLink } from './player/profile-link.tsx'
import { Timeline } from './player/timeline.tsx'
import { timelineFilterParsers, timelineQuery } from './player/timeline-filters.tsx'
import { type PlayerSummary, playerFactsQuery, playerQuery } from './queries.ts'
import { RequireModerationView } from './require-moderation-view.tsx'

const ActionDialog = loadOnOpen(
  async () => (await import('./action/action-dialog.tsx')).ActionDialog,
  ({ request }) => request !== null,
  ({ onClose }) => onClose(),
)

/** Reads what the screen shows first. */
export const earlyReads: {
  readonly Player: ReadScreen<{ readonly workspaceId: string; readonly userId: string }>
} = {
  Player: ({ client, params: { workspaceId, userId }, search }) => [
    client.prefetchQuery(playerFactsQuery(workspaceId, userId)),
    client.prefetchInfiniteQuery(
      timelineQuery(workspaceId, userId, parseFilters(timelineFilterParsers, search)),
    ),
  ],
}

/** A player: active sanctions, actions and history. */
export function Player() {
  const { userId: requested } = useParams({ strict: false }) as { userId: string }
  const { id, platforms } = useWorkspace()
  const back = { to: `/w/${id}/moderation`, label: 'Moderation' }
  if (!isPlayerId(requested)) {
    return (
      <Screen title="Player not found" back={back}>
        <EmptyState icon={IconHistoryOff} title="Invalid player ID">
          A player ID has 1 to 64 letters, digits or the characters _ . : -, or a platform and an ID such as
          steam:76561197960287930. Search for the player by name instead.
        </EmptyState>
      </Screen>
    )
  }
  const userId = resolvePlayerId(wire.playerId.read(requested), platforms)
  return <PlayerWithForm key={userId} userId={userId} back={back} />
}

interface Props {
  readonly userId: string
  readonly back: { readonly to: string; readonly label: string }
}

/** The form is outside of what is hidden while moderation is off, so that its input is kept. */
function PlayerWithForm(props: Props) {
  const { userId } = props
  const [request, setRequest] = useState<ActionRequest | null>(null)
  const { data: player } = useQuery({ ...playerQuery(useWorkspace().id, userId), enabled: false })
  return (
    <>
      <RequireModerationView title={userId}>
        <PlayerDetails {...props} startAction={setRequest} />
      </RequireModerationView>
      <ActionDialog
        userId={userId}
        player={player ?? null}
        request={request}
        onClose={() => setRequest(null)}
      />
    </>
  )
}

function PlayerDetails(props: Props & { readonly startAction: (request: ActionRequest) => void }) {
  const { userId, back, startAction } = props
  const { id: workspaceId, permissions } = useWorkspace()
  const { blockedReason } = useEndpointState('moderation')
  const { data: facts, error, isPending, refetch } = useQuery(playerFactsQuery(workspaceId, userId))
  const player = facts?.player
  const allowedActions = recordActions.filter((action) => permissions.has(CREATE_PERMISSIONS[action]))
  const firstAction = allowedActions[0]
  // A form shows what was known of the player when it opened, and warns about changes since.
  const openWhenKnown = (action: RecordAction) => (isPending ? undefined : () => startAction({ action }))
  useOpenFromUrl(
    'moderation',
    Object.fromEntries(
      recordActions.map((action) => [action, allowedActions.includes(action) ? openWhenKnown(action) : null]),
    ),
  )
  const userUsername = player?.userUsername ?? null
  const playerLabel = formatPlayerName({ userId, userUsername })
  const isLoaded = player !== undefined

  return (
    <Screen
      title={playerLabel}
      heading={<PlayerLabel userId={userId} userUsername={userUsername} />}
      actions={
        <>
          <ProfileLink userId={userId} />
          <CopyTextButton value={userId} label="player ID" />
          <PlayerMenu userId={userId} />
        </>
      }
      // A blank line while loading, so that the screen does not move when it is filled.
      description={isPending ? '\u00a0' : <PlayerDescription player={player ?? null} />}
      back={back}
    >
      <Stack gap="lg">
        {facts ? <PinnedNotes userId={userId} notes={facts.pinnedNotes} /> : null}
        {/* The height of the sanctions is unknown: the history appears with them, so that it does not move. */}
        {isPending ? <LoadingRows rows={5} height={84} /> : null}
        <section aria-label="Active sanctions" hidden={isPending}>
          {!isLoaded && error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
          {isLoaded ? (
            <ActiveSanctions
              player={player}
              actions={(kind, sanction) =>
                permissions.has(LIFT_PERMISSIONS[kind]) ? (
                  <WriteGuard endpoint="moderation">
                    <Button
                      variant="default"
                      onClick={() => openLiftDialog(workspaceId, playerLabel, kind, sanction, player)}
                    >
                      Lift the {kind}
                    </Button>
                  </WriteGuard>
                ) : null
              }
            />
          ) : null}
          {isLoaded && firstAction !== undefined ? (
            <TemplateKeys
              choose={(templateId) => startAction({ action: firstAction, templateId })}
              isBlocked={blockedReason !== null}
            />
          ) : null}
          {isLoaded && allowedActions.length > 0 ? (
            <Group gap="xs" mt="sm" role="group" aria-label="Moderate this player">
              {allowedActions.map((action) => (
                <ActionButton key={action} action={action} onClick={() => startAction({ action })} />
              ))}
            </Group>
          ) : null}
        </section>
        {facts ? <PlayerLinks userId={userId} facts={facts} /> : null}
        <section hidden={isPending}>
          <Title order={2} mb="sm">
            History
          </Title>
          <Timeline userId={userId} canAct={allowedActions.length > 0} />
        </section>
      </Stack>
    </Screen>
  )
}

function ActionButton({ action, onClick }: { readonly action: RecordAction; readonly onClick: () => void }) {
  const { icon: Icon, label, shortcut } = actionInfo[action]
  const hint = useKeyHint(shortcut)
  const isBlocked = useEndpointState('moderation').blockedReason !== null
  useShortcut({ keys: [shortcut], label, group: 'This player' }, onClick, isBlocked)
  return (
    <WriteGuard endpoint="moderation" hint={hint === undefined ? undefined : <KeyLabel keys={[shortcut]} />}>
      <Button
        variant={action === 'ban' ? 'filled' : 'default'}
        color={action === 'ban' ? 'red' : 'gray'}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        onClick={onClick}
        aria-keyshortcuts={hint}
      >
        {label}
      </Button>
    </WriteGuard>
  )
}

function PlayerDescription({ player }: { readonly player: PlayerSummary | null }) {
  if (player === null) return null
  return (
    <>
      {pluralize(player.records, 'case')}
      {player.otherNames.length > 0 ? ' · ' : null}
      <OtherNames names={player.otherNames} />
    </>
  )
}
