import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, take } from '../api/client.ts'

export type FoundMember = PortalSchemas['Member']

const SEARCH_WAIT_MS = 200
const FOUND = '20'

/**
 * The members of a workspace whose names hold what is typed; some of them where nothing is.
 * @param isAsked false where the reader may not see members
 */
export function useMemberSearch(workspaceId: string, typed: string, isAsked = true): readonly FoundMember[] {
  const [q] = useDebouncedValue(typed.trim(), SEARCH_WAIT_MS)
  const { data } = useQuery({
    queryKey: [workspaceId, 'members', 'search', q],
    enabled: isAsked,
    queryFn: async () => {
      const query = { workspaceId, limit: FOUND, ...(q !== '' && { q }) }
      const answer = await take(api.GET('/portal/api/members', { params: { query } }))
      return (answer as { readonly members: readonly FoundMember[] }).members
    },
    placeholderData: (known) => known,
  })
  return data ?? []
}
