import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { OVERVIEW } from '../../api/live-updates.ts'
import { refetchAtExpiry } from '../../api/refetch-at-expiry.ts'
import { timeZone } from '../../format/locale.ts'
import { useNow } from '../../format/use-now.ts'

const readOverview = async (workspaceId: string) => {
  const read = (options: { readonly timeZone?: string }) =>
    unwrap(api.GET('/portal/api/overview', { params: { query: { workspaceId, ...options } } }))
  try {
    return await read({ timeZone })
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.details.some(({ field }) => field === 'timeZone')
    if (!isUnknown) throw error
    // The browser has a time zone that the server does not know, such as a new one or `Etc/Unknown`: days begin in UTC.
    return read({})
  }
}

/** The overview of a workspace; sections without permission are null. */
export type Overview = Awaited<ReturnType<typeof readOverview>>
export type OverviewSection<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** The overview of a workspace; days begin at midnight in the user's time zone. @param now in milliseconds since the epoch */
export const overviewQuery = (workspaceId: string, now: number) =>
  queryOptions({
    queryKey: [workspaceId, OVERVIEW, new Date(now).setHours(0, 0, 0, 0)],
    queryFn: () => readOverview(workspaceId),
    refetchInterval: refetchAtExpiry<Overview>(({ inForce }) => [inForce?.nextExpiryAt]),
    // After midnight, keep the previous data until the new day is loaded.
    placeholderData: (previous, query) => (query?.queryKey[0] === workspaceId ? previous : undefined),
  })

/** Queries the overview of a workspace. */
export const useOverview = (workspaceId: string) => useQuery(overviewQuery(workspaceId, useNow()))
