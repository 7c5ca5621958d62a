import { CloseButton, Stack, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { playerSearchMark } from '../../components/player-search.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState } from '../../components/states.tsx'
import { anyText, useFilters } from '../../components/use-filters.ts'
import { plainText } from '../../forms/plain-text.ts'
import { usePlayers } from './data.ts'
import { FoundPlayers, focusFound } from './found-players.tsx'
import { LatestEntries } from './latest-entries.tsx'
import { theOneMeant } from './player-search.ts'
import { ModerationTabs } from './tabs.tsx'
import { ViewersOnly } from './viewers-only.tsx'

const readers = { q: anyText }
/** As long as somebody goes on typing, nothing is asked. */
const PAUSE_MS = 200

/** Finds a player by id or name. */
export function PlayerSearch() {
  const [{ q = '' }, setFilters] = useFilters(readers)
  return (
    <ViewersOnly title="Moderation">
      <Screen title="Moderation">
        <ModerationTabs />
        <Search q={q} setQuery={(text) => setFilters({ q: text })} />
      </Screen>
    </ViewersOnly>
  )
}

interface Props {
  readonly q: string
  readonly setQuery: (q: string | undefined) => void
}

function Search({ q, setQuery }: Props) {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const [shown, setShown] = useState(q)
  const [sent, setSent] = useState(q)
  // What came into the address from elsewhere goes into the box; what came from the box is behind what is typed there.
  if (q !== shown) {
    setShown(q)
    if (q !== sent) setText(q)
  }
  const box = useRef<HTMLInputElement>(null)
  const search = useDebouncedCallback((wanted: string) => {
    setSent(wanted.trim())
    setQuery(wanted.trim() || undefined)
  }, PAUSE_MS)
  const type = (wanted: string) => {
    setText(wanted)
    search(wanted)
  }
  const go = async (event: FormEvent) => {
    event.preventDefault()
    search.cancel()
    const wanted = text.trim()
    const userId = wanted === '' ? null : await theOneMeant(workspaceId, wanted)
    if (userId === null) {
      setSent(wanted)
      setQuery(wanted || undefined)
      focusFound()
      return
    }
    const params = { workspaceId, userId }
    await navigate({ to: '/w/$workspaceId/moderation/players/$userId', params })
  }
  return (
    <Stack gap="lg">
      <search>
        <form onSubmit={(event) => void go(event)}>
          <TextInput
            {...playerSearchMark}
            {...plainText}
            ref={box}
            size="lg"
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoFocus={q === ''}
            aria-label="Player, by id or name"
            placeholder="Id or name of a player"
            leftSection={<IconSearch size={20} stroke={1.7} aria-hidden />}
            rightSection={
              text === '' ? null : (
                <CloseButton
                  aria-label="Clear the search"
                  onClick={() => {
                    type('')
                    box.current?.focus()
                  }}
                />
              )
            }
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={(event) => {
              // Whoever presses the key that leads here is here already.
              if (event.key === '/' && text === '') event.preventDefault()
              if (event.key === 'ArrowDown' && focusFound()) event.preventDefault()
            }}
          />
        </form>
      </search>
      {q === '' ? <Start /> : <Results q={q} />}
    </Stack>
  )
}

function Results({ q }: { readonly q: string }) {
  const { id } = useWorkspace()
  return <FoundPlayers q={q} pages={usePlayers(id, q)} />
}

const Start = () => (
  <section>
    <Title order={2} mb="xs">
      Latest
    </Title>
    <LatestEntries
      empty={
        <EmptyState icon={IconSearch} title="Nothing is recorded yet">
          Type the id of a player on your game platform: you get to their page and can ban, mute, kick, warn
          or take a note, also where nothing is known of them yet.
        </EmptyState>
      }
    />
  </section>
)
