import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Suggestions } from '../../../components/token-field.tsx'
import { SEARCH_DEBOUNCE_MS } from '../../../components/use-filters.ts'
import { moderationKey } from '../queries.ts'
import { describeCases, describePlayers, fetchCases, type Meaning } from './meanings.ts'
import { parseCaseNumber, parseCaseReference, searchPlayers } from './resolve-text.ts'

/** How many players are offered while typing. */
const MAX_SUGGESTIONS = 20

/** The players and the case that a text can mean, while it is being typed. */
export function useMeanings(workspaceId: string, text: string): Suggestions<Meaning> {
  const [q] = useDebouncedValue(text, SEARCH_DEBOUNCE_MS)
  const { data, isLoading, isError } = useQuery({
    queryKey: moderationKey(workspaceId, 'meanings', q),
    enabled: q !== '',
    queryFn: async (): Promise<readonly Meaning[]> => {
      const caseNumber = parseCaseNumber(q)
      const [players, cases] = await Promise.all([
        parseCaseReference(q) === null ? searchPlayers(workspaceId, q, MAX_SUGGESTIONS) : null,
        caseNumber === null ? [] : fetchCases(workspaceId, caseNumber),
      ])
      return [...(players ? describePlayers(q, players) : []), ...describeCases(cases)]
    },
  })
  return { meanings: q === '' ? [] : (data ?? []), isLoading: isLoading || q !== text, hasFailed: isError }
}
