import { CloseButton, Stack, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { ReadGate } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { playerSearchAttribute } from '../../components/player-search.tsx'
import { Screen } from '../../components/screen.tsx'
import { anyText, SEARCH_DEBOUNCE_MS, useFilters } from '../../components/use-filters.ts'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { LatestRecords } from './latest-records.tsx'
import { ModerationTabs } from './moderation-tabs.tsx'
import { findExactPlayer } from './player/player-lookup.ts'
import { focusFirstResult, PlayerResults } from './player/player-results.tsx'
import { usePlayers } from './queries.ts'

const parsers = { q: anyText }

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
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const [appliedQuery, setAppliedQuery] = useState(q)
  const [sentQuery, setSentQuery] = useState(q)
  // Follow the URL when it changes from elsewhere, but not when it lags behind what is being typed.
  if (q !== appliedQuery) {
    setAppliedQuery(q)
    if (q !== sentQuery) setText(q)
  }
  const input = useRef<HTMLInputElement>(null)
  const debouncedSearch = useDebouncedCallback((query: string) => {
    setSentQuery(query.trim())
    setQuery(query.trim() || undefined)
  }, SEARCH_DEBOUNCE_MS)
  const handleChange = (query: string) => {
    setText(query)
    debouncedSearch(query)
  }
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    debouncedSearch.cancel()
    const query = text.trim()
    const userId = query === '' ? null : await findExactPlayer(workspaceId, query)
    if (userId === null) {
      setSentQuery(query)
      setQuery(query || undefined)
      focusFirstResult()
      return
    }
    const params = { workspaceId, userId }
    await navigate({ to: '/w/$workspaceId/moderation/players/$userId', params })
  }
  return (
    <Stack gap="lg">
      <search>
        <form onSubmit={(event) => void handleSubmit(event)}>
          <TextInput
            {...playerSearchAttribute}
            {...plainTextProps}
            ref={input}
            size="lg"
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoFocus={q === ''}
            aria-label="Player ID or name"
            placeholder="Player ID or name"
            leftSection={<IconSearch size={20} stroke={1.7} aria-hidden />}
            rightSection={
              text === '' ? null : (
                <CloseButton
                  aria-label="Clear the search"
                  onClick={() => {
                    handleChange('')
                    input.current?.focus()
                  }}
                />
              )
            }
            value={text}
            onChange={(event) => handleChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              // The shortcut that focuses this field.
              if (event.key === '/' && text === '') event.preventDefault()
              if (event.key === 'ArrowDown' && focusFirstResult()) event.preventDefault()
            }}
          />
        </form>
      </search>
      {q === '' ? <LatestSection /> : <Results q={q} />}
    </Stack>
  )
}

function Results({ q }: { readonly q: string }) {
  const { id } = useWorkspace()
  return <PlayerResults q={q} pages={usePlayers(id, q)} />
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
