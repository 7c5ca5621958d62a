import { useDebouncedValue } from '@mantine/hooks'
import { cleanQuery } from '@reeve/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Workspace } from '../../api/me.ts'
import { SEARCH_DEBOUNCE_MS } from '../../components/use-filters.ts'
import { listHitGroups, listPlayerGroups, parsePlayerQuery } from './hit-items.ts'
import type { PaletteGroup } from './palette-item.ts'
import { searchPlayers, searchWorkspace } from './search-requests.ts'

const MAX_QUERY_LENGTH = 100
/** Changes of others are not announced for searches, so an answer is not reused for long. */
const STALE_MS = 2000

/** What the server finds for a text. */
export interface Hits {
  readonly groups: readonly PaletteGroup[]
  /** Whether these are the results of the text, and not of an earlier one. */
  readonly isCurrent: boolean
  readonly hasFailed: boolean
  readonly retry: () => void
}

/** Searches the workspace for a text, after a pause in typing. Both answers are shown together, so that rows do not move. */
export function useHits(workspace: Workspace | null, text: string): Hits {
  const trimmed = cleanQuery(text).slice(0, MAX_QUERY_LENGTH)
  const [debounced] = useDebouncedValue(trimmed, SEARCH_DEBOUNCE_MS)
  // An empty text has no results, also before the pause is over.
  const q = trimmed === '' ? '' : debounced
  const workspaceId = workspace?.id ?? ''
  const { action, playerText } = parsePlayerQuery(q)
  const canSeePlayers = workspace?.permissions.has('moderation.view') ?? false
  const isEnabled = workspace !== null && q !== ''
  const found = useQuery({
    queryKey: [workspaceId, 'search', q],
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    queryFn: ({ signal }) => searchWorkspace(workspaceId, q, signal),
  })
  const players = useQuery({
    queryKey: [workspaceId, 'search', 'players', playerText],
    enabled: isEnabled && canSeePlayers,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    queryFn: ({ signal }) => searchPlayers(workspaceId, playerText, signal),
  })
  const isPending = [found, ...(canSeePlayers ? [players] : [])].some(
    (query) => query.isPlaceholderData || query.isPending,
  )
  const isCurrent = !isEnabled ? trimmed === '' || workspace === null : trimmed === q && !isPending
  return {
    groups:
      isEnabled && workspace
        ? [
            ...listPlayerGroups(workspace, players.data, action, playerText),
            ...listHitGroups(workspace, found.data),
          ]
        : [],
    isCurrent,
    hasFailed: isEnabled && (found.isError || players.isError),
    retry: () => {
      if (found.isError) void found.refetch()
      if (players.isError) void players.refetch()
    },
  }
}
