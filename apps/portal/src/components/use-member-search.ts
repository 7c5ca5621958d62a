import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { api, type PortalSchemas, unwrap } from '../api/client.ts'
import { SEARCH_DEBOUNCE_MS } from './use-filters.ts'

export type MemberResult = PortalSchemas['Member']

const RESULT_LIMIT = '20'

/**
 * Members whose names contain a text; the first members if it is empty.
 * @param isEnabled false if the user may not see members
 */
export function useMemberSearch(
  workspaceId: string,
  searchText: string,
  isEnabled = true,
): readonly MemberResult[] {
  const [q] = useDebouncedValue(searchText.trim(), SEARCH_DEBOUNCE_MS)
  const { data } = useQuery({
    queryKey: [workspaceId, 'members', 'search', q],
    enabled: isEnabled,
    queryFn: async () => {
      const query = { workspaceId, limit: RESULT_LIMIT, ...(q !== '' && { q }) }
      const response = await unwrap(api.GET('/portal/api/members', { params: { query } }))
      return (response as { readonly members: readonly MemberResult[] }).members
    },
    placeholderData: (previous) => previous,
  })
  return data ?? []
}
