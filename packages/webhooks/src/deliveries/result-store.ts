import type { Ports } from '@reeve/core'
import { type Database, waitForNextTurn } from '@reeve/db'
import { type FinishedAttempt, finishFailure, finishSuccesses } from './finish.ts'

/** Resolves when the result of an attempt is stored. */
export type StoreResult = (finished: FinishedAttempt) => Promise<void>

interface Waiting {
  readonly finished: FinishedAttempt
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Stores the results of attempts. Successes of a workspace that arrive while others of it are being stored share the next transaction: an
 * event for many webhooks would otherwise cost as many. No workspace waits for another.
 * @param runner names this process
 */
export function createResultStore(db: Database, ports: Ports, runner: string): StoreResult {
  /** The successes of each workspace that wait or, if there are none, are being stored. */
  const waiting = new Map<string, Waiting[]>()

  async function storeTogether(workspaceId: string, results: readonly Waiting[]): Promise<void> {
    try {
      const finished = results.map((result) => result.finished)
      await finishSuccesses(db, ports, runner, workspaceId, finished)
      for (const { resolve } of results) resolve()
    } catch (error) {
      for (const { reject } of results) reject(error)
    }
  }

  async function storeWaiting(workspaceId: string): Promise<void> {
    // What arrives in the same turn of the event loop is stored together.
    await waitForNextTurn()
    for (;;) {
      const results = waiting.get(workspaceId) ?? []
      if (results.length === 0) break
      waiting.set(workspaceId, [])
      await storeTogether(workspaceId, results)
    }
    waiting.delete(workspaceId)
  }

  return (finished) => {
    if (!finished.attempt.isSuccess) return finishFailure(db, ports, runner, finished)
    const { workspace_id: workspaceId } = finished.webhook
    return new Promise((resolve, reject) => {
      const result = { finished, resolve, reject }
      const others = waiting.get(workspaceId)
      if (others) others.push(result)
      else {
        waiting.set(workspaceId, [result])
        void storeWaiting(workspaceId)
      }
    })
  }
}
