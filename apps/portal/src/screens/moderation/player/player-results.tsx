import { Text } from '@mantine/core'
import { IconChevronRight, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import type { ListPage, Pages } from '../../../api/pages.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { pluralize } from '../../../format/number.ts'
import { bidiIsolate } from '../../../format/player-name.ts'
import { PlayerLabel } from '../badges.tsx'
import listClasses from '../list.module.css'
import type { PlayerSummary } from '../queries.ts'
import { SanctionSummary } from './active-sanctions.tsx'
import { OtherNames } from './other-names.tsx'
import { isCompletePlayerId, isSamePlayer, listOtherNames } from './player-lookup.ts'
import classes from './player-results.module.css'

interface Props {
  readonly q: string
  readonly pages: Pages<ListPage & { readonly players: readonly PlayerSummary[] }>
}

const LIST_LABEL = 'Players found'

/** The players found, with enough detail to recognize the right one. */
export function PlayerResults({ q, pages }: Props) {
  const players = pages.data?.pages.flatMap((page) => page.players) ?? []
  const { platforms } = useWorkspace()
  const hasExactMatch = players.some(({ userId }) => isSamePlayer(userId, q, platforms))
  const unknownId = !pages.isPending && !pages.isError && !hasExactMatch && isCompletePlayerId(q) ? q : null
  if (players.length === 0 && unknownId === null && !pages.hasNextPage) {
    return (
      <DataList
        pages={pages}
        label={LIST_LABEL}
        rows={(page) => page.players}
        rowKey={({ userId }) => userId}
        empty={
          <EmptyState icon={IconUserSearch} title={`No players match “${bidiIsolate(q)}”`}>
            Search by any part of a recorded name, from three characters, or by the start of a word or of a
            player’s ID. To open a player without cases, enter the full ID.
          </EmptyState>
        }
      >
        {() => null}
      </DataList>
    )
  }
  return (
    <div>
      <ul className={listClasses.list} aria-label={LIST_LABEL}>
        {players.map((player) => (
          <li key={player.userId}>
            <PlayerResult player={player} q={q} />
          </li>
        ))}
        {unknownId === null ? null : (
          <li>
            <ResultLink userId={unknownId}>
              <span className={classes.unknownPlayer}>
                <IconUserPlus size={18} stroke={1.7} aria-hidden />
                <span>
                  Open player <code>{unknownId}</code>
                </span>
              </span>
              <Text component="span" size="sm" c="dimmed">
                No cases yet
              </Text>
            </ResultLink>
          </li>
        )}
      </ul>
      <LoadMore pages={pages} label={LIST_LABEL} />
    </div>
  )
}

function PlayerResult({ player, q }: { readonly player: PlayerSummary; readonly q: string }) {
  const otherNames = listOtherNames(player)
  return (
    <ResultLink userId={player.userId}>
      <span>
        <PlayerLabel userId={player.userId} userUsername={player.userUsername} q={q} />
        {otherNames.length > 0 ? (
          <Text component="span" size="xs" c="dimmed" className={classes.secondary}>
            <OtherNames names={otherNames} q={q} />
          </Text>
        ) : null}
      </span>
      <span className={classes.sanctions}>
        <SanctionSummary ban={player.ban} mute={player.mute} />
        <Text component="span" size="xs" c="dimmed" className={classes.secondary}>
          {pluralize(player.records, 'case')}
        </Text>
      </span>
    </ResultLink>
  )
}

function ResultLink({ userId, children }: { readonly userId: string; readonly children: ReactNode }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link
      to="/w/$workspaceId/moderation/players/$userId"
      params={{ workspaceId, userId }}
      className={classes.row}
      data-player-result
    >
      <span className={classes.text}>{children}</span>
      <IconChevronRight size={18} stroke={1.7} aria-hidden className={classes.chevron} />
    </Link>
  )
}
