import { Button } from '@mantine/core'
import { IconGavel, IconUserSearch } from '@tabler/icons-react'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { formatList } from '../../format/list.ts'
import { type NamedPlayer, useNamedPlayers } from './filters/player-tokens.ts'
import type { RecordListKind } from './list-kinds.ts'
import { joinValues, type RecordListFilters, type SetRecordFilters, splitValues } from './record-filters.ts'

interface Props {
  readonly kind: RecordListKind
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
}

/** Replaces an empty filtered list, and says what the filters have found out about the players. */
export function NoMatchingRecords({ kind, filters, setFilters }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { userId, caseNumber } = filters
  const players = useNamedPlayers(workspaceId, splitValues(userId))
  const unknown = players.filter(({ isKnown }) => isKnown === false)
  if (unknown.length > 0) {
    const searchByName = (ids: readonly string[]) =>
      setFilters({
        userId: joinValues(splitValues(userId).filter((id) => !ids.includes(id))),
        player: joinValues([...splitValues(filters.player), ...ids]),
      })
    return (
      <EmptyState
        icon={IconUserSearch}
        title={`No cases of ${formatNames(unknown)}`}
        action={
          <Button variant="default" onClick={() => searchByName(unknown.map(({ userId: id }) => id))}>
            Search for a player with this name
          </Button>
        }
      >
        Nothing has been recorded about a player with this ID. Check the ID, or search by name.
      </EmptyState>
    )
  }
  const isByPlayerOnly = userId !== undefined && Object.keys(filters).length === 1
  const state = kind === 'bans' ? 'banned' : kind === 'mutes' ? 'muted' : null
  const title =
    isByPlayerOnly && state !== null
      ? `${formatNames(players)} ${players.length === 1 ? 'is' : 'are'} not ${state}`
      : caseNumber !== undefined && Object.keys(filters).length === 1
        ? `${splitValues(caseNumber)
            .map((number) => `Case #${number}`)
            .join(', ')} is not in this list`
        : 'No cases match these filters'
  return (
    <EmptyState icon={IconGavel} title={title}>
      {isByPlayerOnly && kind !== 'records'
        ? 'Their other cases are under All cases.'
        : 'Clear a filter to see more.'}
    </EmptyState>
  )
}

const formatNames = (players: readonly NamedPlayer[]): string => formatList(players.map(({ name }) => name))
