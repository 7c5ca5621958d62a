import { waitFor } from './wait-for.ts'

/** How long the others wait for the work of a workspace, in milliseconds: far longer than it takes while the database is not slow. */
const MAX_WAIT_MS = 250
/** How many workspaces may be late at once before the others wait for them: each can use a connection to the database. */
const MAX_LATE = 3

export type WorkspaceWork = ReturnType<typeof createWorkspaceWork>

/**
 * Runs work of workspaces, of each of them one thing at a time. Nobody waits longer than a moment for a workspace whose statements are slow or
 * wait for a lock: its work goes on beside that of the others.
 * @param onLateEnd called when such work has ended
 */
export function createWorkspaceWork(onLateEnd: () => void) {
  const running = new Map<string, Promise<void>>()
  return {
    /** Whether work of a workspace goes on, so that no other work of it may begin. */
    isRunning: (workspaceId: string): boolean => running.has(workspaceId),
    /**
     * Begins work of a workspace that has none in progress.
     * @param onLate receives the result of work that is late
     * @returns the result; null if the work is late
     */
    async run<Result>(
      workspaceId: string,
      work: () => Promise<Result>,
      onLate: (result: PromiseSettledResult<Result>) => Promise<void>,
    ): Promise<PromiseSettledResult<Result> | null> {
      let isLate = false
      const settled = Promise.allSettled([work()])
      const ended = settled.then(async ([result]) => {
        if (isLate) await onLate(result)
        running.delete(workspaceId)
        if (isLate) onLateEnd()
      })
      running.set(workspaceId, ended)
      await waitFor(ended, MAX_WAIT_MS)
      while (running.has(workspaceId) && running.size > MAX_LATE) await Promise.race(running.values())
      isLate = running.has(workspaceId)
      return isLate ? null : (await settled)[0]
    },
    /** Whether work goes on that nobody has waited for. */
    isAnyLate: (): boolean => running.size > 0,
    /** Resolves when the work that goes on has ended. */
    waitForLate: async (): Promise<void> => {
      await Promise.all(running.values())
    },
  }
}
