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
 * Stores the results of attempts. Successes that arrive while others are being stored share a transaction per workspace: an event for many
 * webhooks would otherwise cost as many.
 * @param runner names this process
 */
export function createResultStore(db: Database, ports: Ports, runner: string): StoreResult {
  let waiting: Waiting[] = []
  let isRunning = false

  async function settle(results: readonly Waiting[], stored: Promise<void>): Promise<void> {
    try {
      await stored
      for (const { resolve } of results) resolve()
    } catch (error) {
      for (const { reject } of results) reject(error)
    }
  }

  async function storeAll(): Promise<void> {
    // What arrives in the same turn of the event loop is stored together.
    await waitForNextTurn()
    while (waiting.length > 0) {
      const [successes, failures] = [waiting.filter(isSuccess), waiting.filter((one) => !isSuccess(one))]
      waiting = []
      const byWorkspace = Map.groupBy(successes, ({ finished }) => finished.webhook.workspace_id)
      await Promise.all([
        ...[...byWorkspace].map(([workspaceId, results]) => {
          const finished = results.map((result) => result.finished)
          return settle(results, finishSuccesses(db, ports, runner, workspaceId, finished))
        }),
        ...failures.map((result) => settle([result], finishFailure(db, ports, runner, result.finished))),
      ])
    }
    isRunning = false
  }

  return (finished) =>
    new Promise((resolve, reject) => {
      waiting.push({ finished, resolve, reject })
      if (isRunning) return
      isRunning = true
      void storeAll()
    })
}

const isSuccess = ({ finished }: Waiting): boolean => finished.attempt.isSuccess
