import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

/** Names by the ids of accounts and API keys. */
export type ActorNames = ReadonlyMap<string, string>

const NAMES_STALE_MS = 300_000
const EMPTY_NAMES: ActorNames = new Map()

/** The names of accounts and API keys; without ids, of those who recorded something recently. */
export function actorNamesQuery(workspaceId: string, ids?: readonly string[]) {
  const uniqueIds = ids && [...new Set(ids)].sort()
  return queryOptions({
    queryKey: [workspaceId, 'actors', uniqueIds ?? 'recent'],
    queryFn: async (): Promise<ActorNames> => {
      const query = { workspaceId, ...(uniqueIds && { ids: uniqueIds.join(',') }) }
      const { actors } = await unwrap(api.GET('/portal/api/actors', { params: { query } }))
      return new Map(actors.map(({ id, name }) => [id, name]))
    },
    enabled: uniqueIds === undefined || uniqueIds.length > 0,
    staleTime: NAMES_STALE_MS,
  })
}

export const useActorNames = (workspaceId: string, ids?: readonly string[]): ActorNames =>
  useQuery(actorNamesQuery(workspaceId, ids)).data ?? EMPTY_NAMES
