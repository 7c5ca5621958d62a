import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { OVERVIEW } from '../../api/live-updates.ts'
import { useNow } from '../../format/use-now.ts'

const readOverview = (workspaceId: string, since: string) =>
  unwrap(api.GET('/portal/api/overview', { params: { query: { workspaceId, since } } }))

/** The state of a workspace, each part null for those who may not see it. */
export type Overview = Awaited<ReturnType<typeof readOverview>>
export type OverviewSection<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** The state of a workspace, and what was done since the reader's day began. */
export function useOverview(workspaceId: string) {
  const since = new Date(useNow()).setHours(0, 0, 0, 0)
  return useQuery({
    queryKey: [workspaceId, OVERVIEW, since],
    queryFn: () => readOverview(workspaceId, new Date(since).toISOString()),
    // A new day begins with what was known of the last one, not with an empty page.
    placeholderData: (previous, query) => (query?.queryKey[0] === workspaceId ? previous : undefined),
  })
}
