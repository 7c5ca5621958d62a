import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconUserSearch } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { pluralize } from '../../../format/number.ts'
import { bidiIsolate, formatPlayerName } from '../../../format/player-name.ts'
import { PlayerLabel } from '../badges.tsx'
import { SanctionSummary } from '../player/active-sanctions.tsx'
import { type PlayerSummary, usePlayers } from '../queries.ts'

interface Props {
  readonly text: string
  /** Filters by these players instead of the text. */
  readonly choose: (userIds: readonly string[]) => void
  /** Removes the text from the filters. */
  readonly remove: () => void
}

/** Takes the place of a list while a text in its filter names no player, or several. */
export function PlayerChoice({ text, choose, remove }: Props) {
  const { id: workspaceId } = useWorkspace()
  const pages = usePlayers(workspaceId, text)
  const players = pages.data?.pages.flatMap((page) => page.players) ?? []
  const name = `“${bidiIsolate(text)}”`
  return (
    <Stack gap="sm" component="section" aria-label={`Players that match ${name}`}>
      {players.length > 0 ? (
        <Group justify="space-between">
          <Title order={2} size="h4">
            {players.length === 1 && !pages.hasNextPage ? 'One player matches' : 'Several players match'}{' '}
            {name}
          </Title>
          {players.length > 1 && !pages.hasNextPage ? (
            <Button variant="default" onClick={() => choose(players.map(({ userId }) => userId))}>
              Show all {players.length}
            </Button>
          ) : null}
        </Group>
      ) : null}
      <DataList
        pages={pages}
        label={`Players that match ${name}`}
        rows={(page) => page.players}
        rowKey={({ userId }) => userId}
        empty={
          <EmptyState
            icon={IconUserSearch}
            title={`No player matches ${name}`}
            action={
              <Button variant="default" onClick={remove}>
                Remove {name}
              </Button>
            }
          >
            No recorded name or ID contains this text. Check the spelling, or enter the player’s ID.
          </EmptyState>
        }
      >
        {(player) => <Choice player={player} choose={() => choose([player.userId])} />}
      </DataList>
    </Stack>
  )
}

const Choice = ({ player, choose }: { readonly player: PlayerSummary; readonly choose: () => void }) => (
  <Group justify="space-between" gap="sm">
    <div>
      <PlayerLabel userId={player.userId} userUsername={player.userUsername} />
      <Text size="sm" c="dimmed" component="div">
        <SanctionSummary ban={player.ban} mute={player.mute} /> · {pluralize(player.records, 'case')}
      </Text>
    </div>
    <Button variant="default" onClick={choose} aria-label={`Show ${formatPlayerName(player)}`}>
      Show
    </Button>
  </Group>
)
