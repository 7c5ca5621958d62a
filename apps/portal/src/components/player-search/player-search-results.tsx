import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { pluralize } from '../../format/number.ts'
import { PlayerResults } from '../../screens/moderation/player/player-results.tsx'
import { usePlayers } from '../../screens/moderation/queries.ts'
import classes from './player-search.module.css'
import type { PlayerSearch } from './use-player-search.ts'

/** The players that a search finds. While a newer search is running, the previous results stay, pale. */
export function PlayerSearchResults({ search }: { readonly search: PlayerSearch }) {
  const { workspaceId, q, shouldFocusResults, focusResults } = search
  const pages = usePlayers(workspaceId, q)
  const isOutdated = pages.isPlaceholderData
  const [resultsQuery, setResultsQuery] = useState(q)
  if (!isOutdated && resultsQuery !== q) setResultsQuery(q)
  const isSettled = !isOutdated && !pages.isPending
  useEffect(() => {
    if (shouldFocusResults && isSettled) focusResults()
  }, [shouldFocusResults, isSettled, focusResults])
  return (
    <div className={classes.results} data-outdated={isOutdated || undefined} aria-busy={!isSettled}>
      <VisuallyHidden role="status">{isSettled ? describeResults(pages) : ''}</VisuallyHidden>
      <PlayerResults q={resultsQuery} pages={pages} />
    </div>
  )
}

/** The number of players found, for screen readers. */
function describeResults({ data, hasNextPage }: ReturnType<typeof usePlayers>): string {
  if (!data) return ''
  const count = data.pages.reduce((total, { players }) => total + players.length, 0)
  if (count === 0) return 'No players found'
  return `${hasNextPage ? 'More than ' : ''}${pluralize(count, 'player')} found`
}
