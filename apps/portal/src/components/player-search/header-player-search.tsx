import { ActionIcon, Box, Kbd } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { type FocusEvent, useEffect, useEffectEvent, useState } from 'react'
import { loadOnOpen } from '../load-on-open.tsx'
import { playerSearchAttribute } from './focus-player-search.ts'
import classes from './player-search.module.css'
import { PlayerSearchField } from './player-search-field.tsx'
import { usePlayerSearch } from './use-player-search.ts'

const loadResults = () => import('./player-search-results.tsx')
const PlayerSearchResults = loadOnOpen(
  async () => (await loadResults()).PlayerSearchResults,
  () => true,
  // The text stays. The next search tries again.
  () => undefined,
)
const PlayerSearchDialog = loadOnOpen(
  async () => (await import('./player-search-dialog.tsx')).PlayerSearchDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

/** The player search in the header: a field with its results below it or, on a phone, a button that opens the search. */
export function HeaderPlayerSearch({ workspaceId }: { readonly workspaceId: string }) {
  const hasRoom = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false })
  return hasRoom ? (
    <HeaderSearchField key={workspaceId} workspaceId={workspaceId} />
  ) : (
    <SearchButton workspaceId={workspaceId} />
  )
}

function HeaderSearchField({ workspaceId }: { readonly workspaceId: string }) {
  const [q, setQuery] = useState('')
  const search = usePlayerSearch(workspaceId, q, (query) => setQuery(query ?? ''))
  const [isActive, setIsActive] = useState(false)
  useLeavingPage(() => {
    setIsActive(false)
    if (search.text !== '') search.clear()
  })
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setIsActive(false)
  }
  return (
    <Box
      ref={search.area}
      className={classes.area}
      onFocus={() => {
        setIsActive(true)
        loadResults().catch(() => null)
      }}
      onBlur={handleBlur}
      onKeyDown={search.handleKeyDown}
    >
      <PlayerSearchField
        search={search}
        size="sm"
        label="Find a player by ID or name"
        placeholder="Find a player"
        hint={<Kbd size="xs">/</Kbd>}
      />
      {isActive && q !== '' ? (
        // Focusable, so that a click between the rows does not close it.
        <div className={classes.popover} tabIndex={-1}>
          <PlayerSearchResults search={search} />
        </div>
      ) : null}
    </Box>
  )
}

function SearchButton({ workspaceId }: { readonly workspaceId: string }) {
  const [isOpen, dialog] = useDisclosure(false)
  useLeavingPage(dialog.close)
  return (
    <>
      <ActionIcon
        {...playerSearchAttribute}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Find a player"
        onClick={dialog.open}
      >
        <IconSearch size={20} stroke={1.7} />
      </ActionIcon>
      <PlayerSearchDialog workspaceId={workspaceId} isOpen={isOpen} close={dialog.close} />
    </>
  )
}

/** Calls a function when another page opens. */
function useLeavingPage(close: () => void): void {
  const { pathname } = useLocation()
  const handleLeave = useEffectEvent(close)
  useEffect(() => () => handleLeave(), [pathname])
}
