import { DAY_MS } from '@reeve/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

const fetchInsights = (query: Record<string, string> & { workspaceId: string }) =>
  unwrap(api.GET('/api/moderation/insights', { params: { query } }))

export type Insights = Awaited<ReturnType<typeof fetchInsights>>
/** How many cases of each kind, how many of them were lifted, and how many bans were appealed. */
export type Counts = Omit<Insights['days'][number], 'day'>

/** The last day of a filter is included. */
export const toTimes = ({
  from,
  to,
}: {
  readonly from?: string
  readonly to?: string
}): Record<string, string> => ({
  ...(from && { from: `${from}T00:00:00.000Z` }),
  ...(to && { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
})

export const insightsQuery = (workspaceId: string, times: Record<string, string>) =>
  queryOptions({
    queryKey: [workspaceId, 'moderation', 'insights', times],
    queryFn: () => fetchInsights({ workspaceId, ...times }),
  })
