import type { FollowOptions, FollowStatus, Reeve, SanctionChange } from '@reeve/client'

/** Follows, and records what the follower reports. */
export function startFollowing(client: Reeve, options: FollowOptions = {}) {
  const changes: SanctionChange[] = []
  const statuses: FollowStatus[] = []
  const waiting = new Set<() => void>()
  const checkWaiting = () => {
    for (const check of waiting) check()
  }
  const waitUntil = (isTrue: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (!isTrue()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  const follower = client.follow({
    ...options,
    onChange(change) {
      changes.push(change)
      checkWaiting()
    },
    onStatus(status) {
      statuses.push(status)
      checkWaiting()
    },
  })

  return {
    follower,
    changes,
    statuses,
    /** Waits for a change that matches, or returns one that has been reported already. */
    async waitFor(matches: (change: SanctionChange) => boolean): Promise<SanctionChange> {
      await waitUntil(() => changes.some(matches))
      return changes.find(matches) as SanctionChange
    },
    waitForStatus: (status: FollowStatus) => waitUntil(() => follower.status === status),
    /** Waits until something is true, which is checked after each report. */
    waitUntil,
  }
}
