import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from './me.ts'
import { follow } from './stream.ts'

/** What changes are told of: the second part of the keys of a workspace's queries. */
export const liveResources = [
  'moderation',
  'departments',
  'events',
  'workspaces',
  'roles',
  'members',
  'api-keys',
  'endpoint-controls',
  'archives',
  'invitations',
  'usage',
] as const
export type LiveResource = (typeof liveResources)[number]

/** A change of these may be a change of what the reader may do, or of the workspace's name. */
const ABOUT_ME: ReadonlySet<string> = new Set(['workspaces', 'roles', 'members'])

/** What sums a workspace up is of everything: it is read again after any change, and once for a flood of them. */
export const SUMMARY = 'overview'
const SUMMARY_WAIT_MS = 500

/**
 * Reads again whatever somebody else changed in a workspace, as it happens.
 * @returns whether changes have not come through for a while
 */
export function useLive(workspaceId: string): boolean {
  const client = useQueryClient()
  const [isLost, setIsLost] = useState(false)
  useEffect(() => {
    const reread = (...queryKey: readonly string[]) => void client.invalidateQueries({ queryKey })
    let summing: ReturnType<typeof setTimeout> | undefined
    const rereadSummary = () => {
      summing = undefined
      reread(workspaceId, SUMMARY)
    }
    const stop = follow(workspaceId, {
      changed(resource) {
        reread(workspaceId, resource)
        if (ABOUT_ME.has(resource)) reread(...meQuery.queryKey)
        summing ??= setTimeout(rereadSummary, SUMMARY_WAIT_MS)
      },
      // What is just being read may have been read before the change, so that it is read again too.
      connected: () =>
        void client.invalidateQueries({
          predicate: ({ queryKey: [first] }) => first === workspaceId || first === meQuery.queryKey[0],
        }),
      // Whether the session ended, or the membership, is told by reading who is signed in.
      broke: () => reread(...meQuery.queryKey),
      lost: setIsLost,
    })
    return () => {
      clearTimeout(summing)
      stop()
    }
  }, [client, workspaceId])
  return isLost
}
