import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'
import type { toTimeRange } from '../../format/day-range.ts'

const fetchInsights = (query: Record<string, string> & { workspaceId: string }) =>
  unwrap(api.GET('/api/moderation/insights', { params: { query } }))

export type Insights = Awaited<ReturnType<typeof fetchInsights>>
/** How many cases of each kind, how many of them were lifted, and how many bans were appealed. */
export type Counts = Omit<Insights['days'][number], 'day'>

export const insightsQuery = (workspaceId: string, times: ReturnType<typeof toTimeRange>) =>
  queryOptions({
    queryKey: [workspaceId, 'moderation', 'insights', times],
    queryFn: () => fetchInsights({ workspaceId, ...times }),
  })
