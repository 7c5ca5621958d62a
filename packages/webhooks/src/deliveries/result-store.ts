import type { Ports } from '@reeve/core'
import { type Database, waitForNextTurn } from '@reeve/db'
import { type FinishedAttempt, finishFailure, finishSuccesses } from './finish.ts'

/** How long a success waits for the results of attempts that are in progress, in milliseconds, so that they share a commit. */
const MAX_WAIT_MS = 5

/** The place for the result of an attempt that has begun. */
export interface ExpectedResult {
  /** Resolves when the result is stored. */
  readonly store: (finished: FinishedAttempt) => Promise<void>
  /** Ends the attempt: nothing waits for its result any more. Does nothing if it was stored. */
  readonly end: () => void
}

interface Waiting {
  readonly finished: FinishedAttempt
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The attempts of a workspace. */
interface WorkspaceAttempts {
  inProgress: number
  /** Successes that are not being stored yet. */
  waiting: Waiting[]
  isStoring: boolean
  /** Called when the last attempt in progress ends. */
  onLastEnd: () => void
}

/**
 * Stores the results of attempts. Successes of a workspace share a transaction if they arrive shortly after one another, or while others of it are
 * being stored: an event for many webhooks would otherwise cost as many. No workspace waits for another.
 * @param runner names this process
 */
export function createResultStore(db: Database, ports: Ports, runner: string) {
  const byWorkspace = new Map<string, WorkspaceAttempts>()

  async function storeTogether(workspaceId: string, results: readonly Waiting[]): Promise<void> {
    try {
      const finished = results.map((result) => result.finished)
      await finishSuccesses(db, ports, runner, workspaceId, finished)
      for (const { resolve } of results) resolve()
    } catch (error) {
      for (const { reject } of results) reject(error)
    }
  }

  async function storeWaiting(workspaceId: string, attempts: WorkspaceAttempts): Promise<void> {
    attempts.isStoring = true
    while (attempts.waiting.length > 0) {
      await waitForOthers(attempts)
      await storeTogether(workspaceId, attempts.waiting.splice(0))
    }
    attempts.isStoring = false
    dropIfUnused(workspaceId, attempts)
  }

  function dropIfUnused(workspaceId: string, { inProgress, isStoring }: WorkspaceAttempts): void {
    if (inProgress === 0 && !isStoring) byWorkspace.delete(workspaceId)
  }

  return {
    /** An attempt of a workspace begins. */
    expect(workspaceId: string): ExpectedResult {
      const attempts = byWorkspace.get(workspaceId) ?? {
        inProgress: 0,
        waiting: [],
        isStoring: false,
        onLastEnd: () => {},
      }
      byWorkspace.set(workspaceId, attempts)
      attempts.inProgress += 1
      let hasEnded = false
      const end = () => {
        if (hasEnded) return
        hasEnded = true
        attempts.inProgress -= 1
        if (attempts.inProgress === 0) attempts.onLastEnd()
        dropIfUnused(workspaceId, attempts)
      }
      return {
        end,
        store(finished) {
          if (!finished.attempt.isSuccess) {
            end()
            return finishFailure(db, ports, runner, finished)
          }
          return new Promise((resolve, reject) => {
            attempts.waiting.push({ finished, resolve, reject })
            if (!attempts.isStoring) void storeWaiting(workspaceId, attempts)
            end()
          })
        },
      }
    },
  }
}

/** Resolves when no attempt is in progress, but after a short time at most. */
async function waitForOthers(attempts: WorkspaceAttempts): Promise<void> {
  // Responses that arrive in the same turn of the event loop are handled first.
  await waitForNextTurn()
  if (attempts.inProgress === 0) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT_MS)
    attempts.onLastEnd = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  attempts.onLastEnd = () => {}
}
