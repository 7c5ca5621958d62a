import { createHistoryReader } from '@reeve/audit'
import { hasErrorCode } from '@reeve/core'
import { subscribeToChanges } from './changed-workspaces.ts'
import { createAttempts, type DeliveryOptions } from './deliveries/attempts.ts'
import { claimDeliveries, findNextDue, listDueWebhooks } from './deliveries/claim.ts'
import type { Claim } from './deliveries/claim-limits.ts'
import { MAX_IN_FLIGHT } from './deliveries/limits.ts'
import { releaseAll } from './deliveries/release.ts'
import { listDispatchedWorkspaces } from './dispatch/cursor.ts'
import { type DispatchContext, dispatchEvents } from './dispatch/dispatch.ts'
import { createChangeDispatcher } from './dispatch/dispatch-changes.ts'
import { waitFor } from './wait-for.ts'
import { createWorkspaceWork } from './workspace-work.ts'

/** How often changes are looked for that no notification has announced, and sanctions that have expired. */
const POLL_MS = 15_000
/** The shortest wait: attempts that end and changes interrupt it. */
const MIN_WAIT_MS = 250
/** How long it waits while the database is not available, also only for one workspace, although there are changes. */
const UNAVAILABLE_MS = 1000
/** How long attempts in progress may take at shutdown. */
const SHUTDOWN_WAIT_MS = 5000
/** How many webhooks are looked at in a round: more than are sent to at once. As many that do not keep failing are looked at too. */
const WEBHOOKS_PER_ROUND = 2 * MAX_IN_FLIGHT

/** Creates deliveries from changes, and sends them. */
export interface DeliveryRunner {
  /** Runs until the signal is aborted, and then finishes what is in progress for a few seconds. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Dispatches every change so far, and sends everything that is due, once. */
  readonly sendAllDue: () => Promise<void>
}

export function createDeliveryRunner(options: DeliveryOptions): DeliveryRunner {
  const { db, ports, readResource, sender, onFailure } = options
  const runner = crypto.randomUUID()
  const history = createHistoryReader(db)
  let wake = () => {}
  /** Whether anything was due when that was last looked at. */
  let isAnyDue = false
  const work = createWorkspaceWork(() => wake())
  const attempts = createAttempts(options, runner, (isDelivered) => {
    // After a success, nothing else is due than before.
    if (isAnyDue || !isDelivered) wake()
  })
  const { shareSlots, startAll } = attempts

  const dispatchContext: DispatchContext = {
    db,
    ports,
    readResource,
    history,
    runner,
    shareSlots,
    send: startAll,
  }

  const dispatchChanges = createChangeDispatcher(dispatchContext, work, onFailure)

  /** Starts as many attempts as there are free slots. @returns how many */
  async function startDue(signal: AbortSignal): Promise<number> {
    const due = await listDueWebhooks(db, ports.now(), WEBHOOKS_PER_ROUND)
    const webhooks = due.filter(({ workspace_id }) => !work.isRunning(workspace_id))
    isAnyDue = webhooks.length > 0
    if (signal.aborted) return 0
    const byWorkspace = Map.groupBy(shareSlots(webhooks), ({ webhook }) => webhook.workspace_id)
    // Claims that wait together share a commit.
    const claims = await Promise.all(
      [...byWorkspace].map(([id, shares]) =>
        work.run(id, () => claimDeliveries(db, ports, runner, id, shares), startLate),
      ),
    )
    const started = await startAll(
      claims.flatMap((claim) => (claim?.status === 'fulfilled' ? claim.value : [])),
    )
    for (const claim of claims) if (claim?.status === 'rejected') throw claim.reason
    return started
  }

  async function startLate(claim: PromiseSettledResult<readonly Claim[]>): Promise<void> {
    if (claim.status === 'fulfilled') await startAll(claim.value)
    else if (!hasErrorCode(claim.reason, 'unavailable')) onFailure(claim.reason)
  }

  /** Waits also for claims that are late, and for what they start. */
  async function waitForInFlight(): Promise<void> {
    await work.waitForLate()
    await attempts.waitForAll()
  }

  return {
    async run(signal) {
      attempts.resume()
      const changes = subscribeToChanges(db)
      if (!db.isShared) await releaseAll(db, ports)
      let polledAt = Number.NEGATIVE_INFINITY
      while (!signal.aborted) {
        const woken = Promise.withResolvers<void>()
        wake = woken.resolve
        changes.onChange(woken.resolve)
        try {
          if (performance.now() - polledAt >= POLL_MS) {
            polledAt = performance.now()
            for (const id of await listDispatchedWorkspaces(db.read)) changes.add(id)
          }
          try {
            await dispatchChanges(changes, signal)
          } finally {
            // Also if the changes of a workspace cannot be read: others have retries that are due.
            while ((await startDue(signal)) > 0);
          }
        } catch (error) {
          if (hasErrorCode(error, 'unavailable')) await waitFor(new Promise(() => {}), UNAVAILABLE_MS, signal)
          else onFailure(error)
        }
        const dueAt = await findNextDue(db).catch(() => null)
        const delayMs =
          dueAt === null || attempts.isFull()
            ? POLL_MS
            : Math.min(POLL_MS, Math.max(MIN_WAIT_MS, dueAt - ports.now()))
        await waitFor(woken.promise, delayMs, signal)
      }
      changes.stop()
      const timer = setTimeout(attempts.interrupt, SHUTDOWN_WAIT_MS)
      await waitForInFlight()
      clearTimeout(timer)
      await sender.close()
    },
    async sendAllDue() {
      const { signal } = new AbortController()
      for (const workspaceId of await listDispatchedWorkspaces(db.read))
        await dispatchEvents(dispatchContext, workspaceId, signal)
      while ((await startDue(signal)) > 0 || attempts.count() > 0 || work.isAnyLate()) await waitForInFlight()
    },
  }
}
