import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'

/** The most that is counted; more is shown as `99+`. */
const MAX_COUNT = 100

export const formatCount = (count: number): string =>
  count < MAX_COUNT ? String(count) : `${MAX_COUNT - 1}+`

/** How much waits for the user, by kind. */
export const inboxCountsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [workspaceId, 'inbox', 'counts'],
    queryFn: async (): Promise<ReadonlyMap<string, number>> => {
      const params = { query: { workspaceId } }
      const { counts } = await unwrap(api.GET('/portal/api/inbox/counts', { params }))
      return new Map(counts.map(({ source, count }) => [source, Number(count)]))
    },
  })

/** Marks mentions as read or unread: some of them, those of a record, or all that are unread. */
export async function markMentions(
  workspaceId: string,
  which: { readonly ids?: string; readonly recordId?: string; readonly read?: string } = {},
): Promise<void> {
  await unwrap(api.POST('/portal/api/inbox/mentions', { body: { workspaceId, ...which } }))
  await queryClient.invalidateQueries({ queryKey: [workspaceId, 'inbox'] })
}
