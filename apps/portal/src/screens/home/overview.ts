import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { OVERVIEW } from '../../api/live-updates.ts'
import { timeZone } from '../../format/locale.ts'
import { useNow } from '../../format/use-now.ts'

const readOverview = (workspaceId: string) =>
  unwrap(api.GET('/portal/api/overview', { params: { query: { workspaceId, timeZone } } }))

/** The overview of a workspace; sections without permission are null. */
export type Overview = Awaited<ReturnType<typeof readOverview>>
export type OverviewSection<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** The overview of a workspace; days begin at midnight in the user's time zone. @param now in milliseconds since the epoch */
export const overviewQuery = (workspaceId: string, now: number) =>
  queryOptions({
    queryKey: [workspaceId, OVERVIEW, new Date(now).setHours(0, 0, 0, 0)],
    queryFn: () => readOverview(workspaceId),
    // After midnight, keep the previous data until the new day is loaded.
    placeholderData: (previous, query) => (query?.queryKey[0] === workspaceId ? previous : undefined),
  })

/** Queries the overview of a workspace. */
export const useOverview = (workspaceId: string) => useQuery(overviewQuery(workspaceId, useNow()))
