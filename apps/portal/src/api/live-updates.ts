import type { LiveResource } from '@reeve/core'
import { useEffect, useState } from 'react'
import { subscribeToChanges } from './change-stream.ts'
import { type Me, meQuery } from './me.ts'
import { refetchPaced } from './paced-refetch.ts'
import { queryClient } from './query-client.ts'

/** Changes of these can change the user's permissions and limits, or the workspace's name. */
const MEMBERSHIP_RESOURCES: ReadonlySet<LiveResource> = new Set(['workspaces', 'roles', 'members'])

/** The overview depends on every resource. */
export const OVERVIEW = 'overview'

/** The query of the user's limits, which are those of their roles. */
export const ownLimitsKey = (workspaceId: string) => [workspaceId, 'moderation', 'own-limits'] as const

/** Whether a stream was opened since the page was loaded. */
let hasStreamed = false

/**
 * The last change that is certainly part of all data of the workspace: the one that the user was loaded with, because nothing
 * else is read before the user. Null if unknown: the user was read again, or another stream was open.
 */
function takeLoadedSequence(workspaceId: string): string | null {
  const isFirst = !hasStreamed
  hasStreamed = true
  const me = queryClient.getQueryState<Me>(meQuery.queryKey)
  if (!isFirst || me?.dataUpdateCount !== 1) return null
  return me.data?.workspaces.find(({ id }) => id === workspaceId)?.sequence ?? null
}

/**
 * Refetches whatever changes in a workspace.
 * @returns whether the connection has been down for a while
 */
export function useLiveUpdates(workspaceId: string): boolean {
  const [isDisconnected, setIsDisconnected] = useState(false)
  useEffect(() => {
    const refetch = (...queryKey: readonly string[]) => refetchPaced(queryKey)
    const unsubscribe = subscribeToChanges(workspaceId, takeLoadedSequence(workspaceId), {
      onChange(resource) {
        refetch(workspaceId, resource)
        // A player has the open appeals of their bans.
        if (resource === 'appeals') refetch(workspaceId, 'moderation', 'player')
        if (MEMBERSHIP_RESOURCES.has(resource)) {
          refetch(...meQuery.queryKey)
          refetch(...ownLimitsKey(workspaceId))
        }
        refetch(workspaceId, OVERVIEW)
      },
      // Includes running queries, which may have read the data before the change.
      onConnect: () =>
        void queryClient.invalidateForOthers({
          predicate: ({ queryKey: [first] }) => first === workspaceId || first === meQuery.queryKey[0],
        }),
      // The connection may have failed because the session or the membership ended.
      onError: () => refetch(...meQuery.queryKey),
      onDisconnectedChange: setIsDisconnected,
    })
    return unsubscribe
  }, [workspaceId])
  return isDisconnected
}
