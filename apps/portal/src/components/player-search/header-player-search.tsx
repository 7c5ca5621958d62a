import { ActionIcon, Box, Kbd } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { type FocusEvent, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { LoadingRows } from '../empty-error-loading.tsx'
import { playerSearchAttribute } from './focus-player-search.ts'
import classes from './player-search.module.css'
import { PlayerSearchField } from './player-search-field.tsx'
import { usePlayerSearch } from './use-player-search.ts'

const PlayerSearchResults = lazy(async () => {
  const { PlayerSearchResults: results } = await import('./player-search-results.tsx')
  return { default: results }
})
const PlayerSearchDialog = lazy(async () => {
  const { PlayerSearchDialog: dialog } = await import('./player-search-dialog.tsx')
  return { default: dialog }
})

/** The player search in the header: a field with its results below it or, on a phone, a button that opens the search. */
export const HeaderPlayerSearch = ({ workspaceId }: { readonly workspaceId: string }) => (
  <>
    <HeaderSearchField key={workspaceId} workspaceId={workspaceId} />
    <SearchButton workspaceId={workspaceId} />
  </>
)

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
      visibleFrom="sm"
      className={classes.area}
      onFocus={() => setIsActive(true)}
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
          <Suspense fallback={<LoadingRows rows={2} />}>
            <PlayerSearchResults search={search} />
          </Suspense>
        </div>
      ) : null}
    </Box>
  )
}

function SearchButton({ workspaceId }: { readonly workspaceId: string }) {
  const [isOpen, dialog] = useDisclosure(false)
  const [wasOpened, setWasOpened] = useState(false)
  useLeavingPage(dialog.close)
  return (
    <>
      <ActionIcon
        {...playerSearchAttribute}
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Find a player"
        onClick={() => {
          setWasOpened(true)
          dialog.open()
        }}
      >
        <IconSearch size={20} stroke={1.7} />
      </ActionIcon>
      {wasOpened ? (
        <Suspense>
          <PlayerSearchDialog workspaceId={workspaceId} isOpen={isOpen} close={dialog.close} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Calls a function when another page opens. */
function useLeavingPage(close: () => void): void {
  const { pathname } = useLocation()
  const handleLeave = useEffectEvent(close)
  useEffect(() => () => handleLeave(), [pathname])
}
