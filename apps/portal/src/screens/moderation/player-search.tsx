import { Stack, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { anyText } from '../../app/filter-parsers.ts'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { PlayerSearchField } from '../../components/player-search/player-search-field.tsx'
import { PlayerSearchResults } from '../../components/player-search/player-search-results.tsx'
import { usePlayerSearch } from '../../components/player-search/use-player-search.ts'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { LatestRecords, latestRecordsQuery } from './latest-records.tsx'
import { ModerationTabs } from './moderation-tabs.tsx'

const parsers = { q: anyText }

/** Reads what the screen shows first. */
export const earlyReads: { readonly PlayerSearch: ReadScreen } = {
  PlayerSearch: ({ client, params: { workspaceId } }) => [
    client.prefetchInfiniteQuery(latestRecordsQuery(workspaceId)),
  ],
}

/** Finds a player by id or name, also while moderation is off: the search still shows who is banned. */
export function PlayerSearch() {
  const canView = useHasPermission('moderation.view')
  const [{ q = '' }, setFilters] = useFilters(parsers)
  return (
    <Screen title="Moderation">
      {canView ? (
        <>
          <ModerationTabs />
          <SearchForm q={q} setQuery={(text) => setFilters({ q: text })} />
        </>
      ) : (
        <Forbidden permission="moderation.view" />
      )}
    </Screen>
  )
}

interface Props {
  readonly q: string
  readonly setQuery: (q: string | undefined) => void
}

function SearchForm({ q, setQuery }: Props) {
  const { id } = useWorkspace()
  const search = usePlayerSearch(id, q, setQuery)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move between links that also work without them
    <div ref={search.area} onKeyDown={search.handleKeyDown}>
      <Stack gap="lg">
        <PlayerSearchField
          search={search}
          size="lg"
          autoFocus={q === ''}
          label="Player ID or name"
          placeholder="Player ID or name"
        />
        {q === '' ? <LatestSection /> : <PlayerSearchResults search={search} />}
      </Stack>
    </div>
  )
}

const LatestSection = () => (
  <section>
    <Title order={2} mb="xs">
      Latest cases
    </Title>
    <ReadGate endpoint="moderation">
      <LatestRecords
        empty={
          <EmptyState icon={IconSearch} title="No cases yet">
            Enter a player’s ID on your game platform to open their page. There you can ban, mute, kick or
            warn them or add a note, even before their first case.
          </EmptyState>
        }
      />
    </ReadGate>
  </section>
)
