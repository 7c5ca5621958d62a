import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { OVERVIEW } from '../../api/live-updates.ts'
import { timeZone } from '../../format/locale.ts'
import { useNow } from '../../format/use-now.ts'

const readOverview = (workspaceId: string) =>
  unwrap(api.GET('/portal/api/overview', { params: { query: { workspaceId, timeZone } } }))

/** The overview of a workspace; sections without permission are null. */
export type Overview = Awaited<ReturnType<typeof readOverview>>
export type OverviewSection<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** Queries the overview of a workspace; days begin at midnight in the user's time zone. */
export function useOverview(workspaceId: string) {
  const today = new Date(useNow()).setHours(0, 0, 0, 0)
  return useQuery({
    queryKey: [workspaceId, OVERVIEW, today],
    queryFn: () => readOverview(workspaceId),
    // After midnight, keep the previous data until the new day is loaded.
    placeholderData: (previous, query) => (query?.queryKey[0] === workspaceId ? previous : undefined),
  })
}
