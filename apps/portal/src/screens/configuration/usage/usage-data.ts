import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, take } from '../../../api/client.ts'
import { type Month, spanOf } from './month.ts'

/** What calls are summed by. */
export type Grouping = 'day' | 'endpoint' | 'actor'

/** The calls of one day, endpoint or actor. */
export interface Sum {
  readonly group: string
  readonly name: string | null
  readonly kind: string | null
  /** Those that went well; with the two others, all of them. */
  readonly answered: number
  readonly refused: number
  readonly failed: number
}

/** The calls of a month. */
export const usageQuery = (workspaceId: string, month: Month, by: Grouping) =>
  queryOptions({
    queryKey: [workspaceId, 'usage', month, by],
    queryFn: async () => {
      const query = { workspaceId, by, ...spanOf(month) }
      const { usage, ...answer } = await take(api.GET('/portal/api/usage', { params: { query } }))
      const sums = usage.map(({ group, name, kind, ...counts }): Sum => {
        const [calls, refused, failed] = [counts.calls, counts.refused, counts.failed].map(Number)
        return {
          group,
          name,
          kind,
          answered: (calls ?? 0) - (refused ?? 0) - (failed ?? 0),
          refused: refused ?? 0,
          failed: failed ?? 0,
        }
      })
      return { by, sums, total: Number(answer.total), month: answer.month }
    },
    // Calls are told of by nothing: whoever comes back to the page sees the latest.
    refetchOnWindowFocus: 'always',
    placeholderData: keepPreviousData,
  })

export const callsOf = ({ answered, refused, failed }: Sum): number => answered + refused + failed
