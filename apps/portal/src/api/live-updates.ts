import type { LiveResource } from '@reeve/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { subscribeToChanges } from './change-stream.ts'
import { meQuery } from './me.ts'

/** A change of these may be a change of what the reader may do, or of the workspace's name. */
const MEMBERSHIP_RESOURCES: ReadonlySet<LiveResource> = new Set(['workspaces', 'roles', 'members'])

/** What sums a workspace up is of everything: it is read again after any change, and once for a flood of them. */
export const OVERVIEW = 'overview'
const OVERVIEW_DEBOUNCE_MS = 500

/**
 * Reads again whatever somebody else changed in a workspace, as it happens.
 * @returns whether changes have not come through for a while
 */
export function useLiveUpdates(workspaceId: string): boolean {
  const client = useQueryClient()
  const [isDisconnected, setIsDisconnected] = useState(false)
  useEffect(() => {
    const refetch = (...queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
    let overviewTimer: ReturnType<typeof setTimeout> | undefined
    const refetchOverview = () => {
      overviewTimer = undefined
      refetch(workspaceId, OVERVIEW)
    }
    const unsubscribe = subscribeToChanges(workspaceId, {
      onChange(resource) {
        refetch(workspaceId, resource)
        if (MEMBERSHIP_RESOURCES.has(resource)) refetch(...meQuery.queryKey)
        overviewTimer ??= setTimeout(refetchOverview, OVERVIEW_DEBOUNCE_MS)
      },
      // What is just being read may have been read before the change, so that it is read again too.
      onConnect: () =>
        void client.invalidateQueries({
          predicate: ({ queryKey: [first] }) => first === workspaceId || first === meQuery.queryKey[0],
        }),
      // Whether the session ended, or the membership, is told by reading who is signed in.
      onError: () => refetch(...meQuery.queryKey),
      onDisconnectedChange: setIsDisconnected,
    })
    return () => {
      clearTimeout(overviewTimer)
      unsubscribe()
    }
  }, [client, workspaceId])
  return isDisconnected
}
