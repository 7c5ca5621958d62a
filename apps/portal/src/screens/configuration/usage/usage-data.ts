import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { getMonthRange, type Month } from './month.ts'

/** How requests are grouped. */
export type Grouping = 'day' | 'endpoint' | 'actor'

/** The requests of one day, endpoint or actor. */
export interface UsageRow {
  readonly group: string
  readonly name: string | null
  readonly kind: string | null
  /** Requests that were neither rejected nor failed. */
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
}

interface UsageParams {
  readonly workspaceId: string
  readonly by: Grouping
  readonly from: string
  readonly to: string
}

const readUsage = (query: UsageParams) => unwrap(api.GET('/portal/api/usage', { params: { query } }))

/** The stored bytes of a workspace, by kind, and its quota. */
export type StorageState = Awaited<ReturnType<typeof readUsage>>['storage']

/** The requests of a month, and the storage that is used now. */
export const usageQuery = (workspaceId: string, month: Month, by: Grouping) =>
  queryOptions({
    queryKey: [workspaceId, 'usage', month, by],
    queryFn: async () => {
      const { usage, ...response } = await readUsage({ workspaceId, by, ...getMonthRange(month) })
      const rows = usage.map(({ group, name, kind, ...counts }): UsageRow => {
        const [calls, refused, failed] = [counts.calls, counts.refused, counts.failed].map(Number)
        return {
          group,
          name,
          kind,
          succeeded: (calls ?? 0) - (refused ?? 0) - (failed ?? 0),
          refused: refused ?? 0,
          failed: failed ?? 0,
        }
      })
      return { by, rows, total: Number(response.total), month: response.month, storage: response.storage }
    },
    // Requests send no live update.
    refetchOnWindowFocus: 'always',
    placeholderData: keepPreviousData,
  })

export const countRequests = ({ succeeded, refused, failed }: UsageRow): number =>
  succeeded + refused + failed
