import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../dialog.tsx'
import { PlayerSearchField } from './player-search-field.tsx'
import { PlayerSearchResults } from './player-search-results.tsx'
import { usePlayerSearch } from './use-player-search.ts'

interface Props {
  readonly workspaceId: string
  readonly isOpen: boolean
  readonly close: () => void
}

/** The player search of a phone, over the whole screen. */
export const PlayerSearchDialog = ({ isOpen, close, workspaceId }: Props) => (
  <Dialog opened={isOpen} onClose={close} title="Find a player" fullScreen>
    <DialogContent workspaceId={workspaceId} />
  </Dialog>
)

function DialogContent({ workspaceId }: Pick<Props, 'workspaceId'>) {
  const [q, setQuery] = useState('')
  const search = usePlayerSearch(workspaceId, q, (query) => setQuery(query ?? ''))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move between links that also work without them
    <div ref={search.area} onKeyDown={search.handleKeyDown}>
      <Stack gap="sm">
        <PlayerSearchField
          search={search}
          size="lg"
          autoFocus
          label="Player ID or name"
          placeholder="Player ID or name"
        />
        {q === '' ? (
          <Text size="sm" c="dimmed">
            Type a player’s ID, or a part of a name.
          </Text>
        ) : (
          <PlayerSearchResults search={search} />
        )}
      </Stack>
    </div>
  )
}
