import { CREATE_PERMISSIONS, isRecordAction, type RecordAction, recordActions } from '@reeve/core'
import { IconSearch, IconUserPlus } from '@tabler/icons-react'
import type { PortalSchemas } from '../../api/client.ts'
import type { Workspace } from '../../api/me.ts'
import { pluralize } from '../../format/number.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { formatDateTime } from '../../format/time.ts'
import { toDay } from '../../screens/events/calendar.ts'
import { formatEventType } from '../../screens/events/event-data.ts'
import { actionInfo } from '../../screens/moderation/action-labels.ts'
import { isCompletePlayerId, isSamePlayer } from '../../screens/moderation/player/player-lookup.ts'
import { type HitKind, hitKinds, type PaletteGroup, type PaletteItem } from './palette-item.ts'
import type { FoundInWorkspace, FoundPlayers } from './search-requests.ts'

type Player = Pick<PortalSchemas['Player'], 'userId' | 'userUsername'>

/** Reads `ban storm` as an action and a player; any other text is a player. */
export function parsePlayerQuery(text: string): {
  readonly action: RecordAction | null
  readonly playerText: string
} {
  const [, verb = '', player = ''] = /^(\w+)\s+(.+)$/.exec(text) ?? []
  const action = verb.toLowerCase()
  return isRecordAction(action) ? { action, playerText: player } : { action: null, playerText: text }
}

const toItem = (kind: HitKind, item: Omit<PaletteItem, 'icon' | 'kind'>): PaletteItem => ({
  ...item,
  id: `${kind}:${item.id}`,
  kind,
  icon: hitKinds[kind].icon,
})

/** The players found, and what can be done with one of them. */
export function listPlayerGroups(
  workspace: Workspace,
  found: FoundPlayers | undefined,
  action: RecordAction | null,
  text: string,
): PaletteGroup[] {
  if (!found) return []
  const base = `/w/${workspace.id}/moderation`
  const toPath = ({ userId }: Player) => `${base}/players/${encodeURIComponent(userId)}`
  const allowedActions =
    workspace.isArchived || workspace.restrictedEndpoints.has('moderation')
      ? []
      : recordActions.filter((one) => workspace.permissions.has(CREATE_PERMISSIONS[one]))
  const toAction = (player: Player, one: RecordAction): PaletteItem => ({
    id: `${one}:${player.userId}`,
    label: `${actionInfo[one].label} ${formatPlayerName(player)}…`,
    icon: actionInfo[one].icon,
    target: `${toPath(player)}?open=${one}`,
    isTransient: true,
  })
  const isNamed = ({ userId }: Player) => isSamePlayer(userId, text, workspace.platforms)
  const isKnown = found.players.some(isNamed)
  const unknownPlayer = isCompletePlayerId(text) && !isKnown ? { userId: text, userUsername: null } : null
  const players: readonly Player[] = [...found.players, ...(unknownPlayer ? [unknownPlayer] : [])]
  if (action !== null)
    return allowedActions.includes(action)
      ? [{ title: 'Players', items: players.map((player) => toAction(player, action)) }]
      : []
  const subject =
    found.players.find(isNamed) ??
    unknownPlayer ??
    (found.players.length === 1 ? found.players[0] : undefined)
  return [
    {
      title: hitKinds.player.title,
      items: [
        ...found.players.map((player) =>
          toItem('player', {
            id: player.userId,
            label: player.userUsername === null ? player.userId : `${player.userUsername} ${player.userId}`,
            detail: describePlayer(player),
            target: toPath(player),
          }),
        ),
        ...(unknownPlayer
          ? [
              {
                id: `player:${text}`,
                label: `Open player ${text}`,
                detail: 'No cases yet',
                icon: IconUserPlus,
                target: toPath(unknownPlayer),
                isTransient: true,
              },
            ]
          : []),
        ...(found.nextCursor === null
          ? []
          : [
              {
                id: 'all-players',
                label: `All players that match “${text}”`,
                icon: IconSearch,
                target: `${base}?${new URLSearchParams({ q: text })}`,
                isTransient: true,
              },
            ]),
      ],
    },
    ...(subject
      ? [
          {
            title: `Moderate ${formatPlayerName(subject)}`,
            items: allowedActions.map((one) => toAction(subject, one)),
          },
        ]
      : []),
  ]
}

const describePlayer = ({ ban, mute, records }: PortalSchemas['Player']): string =>
  [ban ? 'Banned' : null, mute ? 'Muted' : null, pluralize(records, 'case')].filter(Boolean).join(' · ')

/** What the search of the workspace found. */
export function listHitGroups({ id }: Workspace, found: FoundInWorkspace | undefined): PaletteGroup[] {
  if (!found) return []
  const base = `/w/${id}`
  const toGroup = <Hit>(
    kind: HitKind,
    hits: readonly Hit[],
    present: (hit: Hit) => Omit<PaletteItem, 'icon'>,
  ) => ({
    title: hitKinds[kind].title,
    items: hits.map((hit) => toItem(kind, present(hit))),
  })
  return [
    toGroup('case', found.cases, (hit) => ({
      id: hit.id,
      label: `Case ${hit.caseNumber}`,
      detail: `${isRecordAction(hit.action) ? actionInfo[hit.action].noun : hit.action} · ${formatPlayerName(hit)}`,
      target: `${base}/moderation/cases/${hit.id}`,
    })),
    toGroup('member', found.members, (hit) => ({
      id: hit.accountId,
      label: hit.username,
      target: `${base}/people?${new URLSearchParams({ q: hit.username })}`,
    })),
    toGroup('role', found.roles, (hit) => ({
      id: hit.id,
      label: hit.name,
      target: `${base}/roles?view=permissions&role=${hit.id}`,
    })),
    toGroup('department', found.departments, (hit) => ({
      id: hit.id,
      label: hit.name,
      target: `${base}/departments#department-${hit.id}`,
    })),
    toGroup('event', found.events, (hit) => ({
      id: hit.id,
      label: hit.title,
      detail: `${hit.published === 'true' ? '' : 'Draft · '}${formatEventType(hit.eventType)} · ${formatDateTime(hit.scheduledFor)}`,
      target: `${base}/events?on=${toDay(new Date(hit.scheduledFor).getTime())}&event=${hit.id}`,
    })),
    toGroup('apiKey', found.apiKeys, (hit) => ({
      id: hit.id,
      label: hit.name,
      detail: `…${hit.hint}${hit.ended === 'true' ? ' · Revoked or expired' : ''}`,
      target: `${base}/configuration/api/keys${hit.ended === 'true' ? '?show=ended' : ''}#key-${hit.id}`,
    })),
    toGroup('invitation', found.invitations, (hit) => ({
      id: hit.id,
      label: hit.note,
      detail: `Valid until ${formatDateTime(hit.expiresAt)}`,
      target: `${base}/people?tab=invitations`,
    })),
  ]
}
