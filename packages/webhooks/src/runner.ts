import { createHistoryReader } from '@reeve/audit'
import { hasErrorCode, type Ports } from '@reeve/core'
import { createTimeSlicer, type Database, type DeliveryTable, type WebhookTable } from '@reeve/db'
import { subscribeToChanges } from './changed-workspaces.ts'
import { claimDeliveries, findNextDue, listDueWebhooks } from './deliveries/claim.ts'
import {
  type Claim,
  type DueWebhook,
  getConcurrency,
  isSlowedDown,
  type Share,
} from './deliveries/claim-limits.ts'
import { MAX_IN_FLIGHT, MAX_TO_FAILING } from './deliveries/limits.ts'
import { toMessageId } from './deliveries/model.ts'
import { releaseAll, releaseDelivery } from './deliveries/release.ts'
import { createResultStore } from './deliveries/result-store.ts'
import { formatBody } from './dispatch/body.ts'
import { listDispatchedWorkspaces } from './dispatch/cursor.ts'
import { type DispatchContext, dispatchEvents } from './dispatch/dispatch.ts'
import { createChangeDispatcher } from './dispatch/dispatch-changes.ts'
import { type ReadResource, resourceFields } from './dispatch/resources.ts'
import { type Attempt, toOutgoingWebhook } from './outbound/attempt.ts'
import { findMessage } from './outbound/discord-message.ts'
import type { Sender } from './outbound/sender.ts'
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

export interface DeliveryOptions {
  readonly db: Database
  readonly ports: Ports
  readonly readResource: ReadResource
  readonly sender: Sender
  /** Receives errors of the program itself; those of receivers are stored with their deliveries. */
  readonly onFailure: (error: unknown) => void
  /** Called after every attempt. */
  readonly onAttempt?: (attempt: Attempt) => void
}

/** Creates deliveries from changes, and sends them. */
export interface DeliveryRunner {
  /** Runs until the signal is aborted, and then finishes what is in progress for a few seconds. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Dispatches every change so far, and sends everything that is due, once. */
  readonly sendAllDue: () => Promise<void>
}

interface InFlight {
  readonly webhook: WebhookTable
  readonly settled: Promise<void>
}

export function createDeliveryRunner(options: DeliveryOptions): DeliveryRunner {
  const { db, ports, readResource, sender, onFailure, onAttempt } = options
  const runner = crypto.randomUUID()
  const history = createHistoryReader(db)
  const results = createResultStore(db, ports, runner)
  const inFlight = new Set<InFlight>()
  let wake = () => {}
  /** Whether anything was due when that was last looked at. */
  let isAnyDue = false
  let isInterrupted = false
  const work = createWorkspaceWork(() => wake())

  /** Divides the requests that this process may still send among webhooks, evenly, so that they can be claimed together. */
  function shareSlots(webhooks: readonly DueWebhook[]): Share[] {
    const shares: Share[] = []
    let free = MAX_IN_FLIGHT - inFlight.size
    let freeForFailing = MAX_TO_FAILING
    const byWebhook = new Map<string, number>()
    for (const { webhook } of inFlight) {
      byWebhook.set(webhook.id, (byWebhook.get(webhook.id) ?? 0) + 1)
      if (isSlowedDown(webhook)) freeForFailing -= 1
    }
    const evenShare = Math.max(1, Math.floor(free / webhooks.length))
    for (const webhook of webhooks) {
      const limit = isSlowedDown(webhook) ? Math.min(free, freeForFailing) : free
      const slots = Math.min(evenShare, limit, getConcurrency(webhook) - (byWebhook.get(webhook.id) ?? 0))
      if (slots <= 0) continue
      shares.push({ webhook, slots })
      free -= slots
      if (isSlowedDown(webhook)) freeForFailing -= slots
    }
    return shares
  }

  async function renderAgain({
    workspace_id: workspaceId,
    kind,
    resource_id,
    created_at,
  }: Pick<DeliveryTable, 'workspace_id' | 'kind' | 'resource_id' | 'created_at'>): Promise<string> {
    const resource = await readResource(db.read, workspaceId, 'record', resource_id ?? '')
    return formatBody(kind, created_at, {
      workspaceId,
      sequence: (resource as { sequence?: string } | null)?.sequence ?? '0',
      [resourceFields.record as string]: resource ?? { id: resource_id, workspaceId },
    })
  }

  /** Makes an attempt and stores its result. @returns whether the receiver has the delivery */
  async function attempt(webhook: WebhookTable, delivery: DeliveryTable): Promise<boolean> {
    const result = results.expect(webhook.workspace_id)
    try {
      const message =
        webhook.kind === 'discord'
          ? await findMessage(db.read, webhook, delivery)
          : { event: delivery, discordMessageId: null }
      const made = await sender.send({
        webhook: toOutgoingWebhook(webhook),
        messageId: toMessageId(delivery),
        discordMessageId: message.discordMessageId,
        // The texts of its record were redacted.
        body: message.event.payload ?? (await renderAgain(message.event)),
      })
      if (isInterrupted && !made.isSuccess) {
        await releaseDelivery(db, ports, delivery)
        return false
      }
      await result.store({ webhook, delivery, attempt: made })
      onAttempt?.(made)
      return made.isSuccess
    } catch (error) {
      // The delivery is sent again once its lease ends.
      if (!hasErrorCode(error, 'unavailable')) onFailure(error)
      return false
    } finally {
      result.end()
    }
  }

  function start(webhook: WebhookTable, delivery: DeliveryTable): void {
    const entry: InFlight = {
      webhook,
      settled: attempt(webhook, delivery).then((isDelivered) => {
        inFlight.delete(entry)
        // After a success, nothing else is due than before.
        if (isAnyDue || !isDelivered) wake()
      }),
    }
    inFlight.add(entry)
  }

  /** Starts an attempt of each delivery. @returns how many */
  async function startAll(claims: readonly Claim[]): Promise<number> {
    let started = 0
    const yieldIfDue = createTimeSlicer()
    for (const { webhook, deliveries } of claims) {
      for (const delivery of deliveries) {
        start(webhook, delivery)
        started += 1
        await yieldIfDue()
      }
    }
    return started
  }

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
    await Promise.all([...inFlight].map(({ settled }) => settled))
  }

  return {
    async run(signal) {
      isInterrupted = false
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
        const isFull = inFlight.size >= MAX_IN_FLIGHT
        const delayMs =
          dueAt === null || isFull ? POLL_MS : Math.min(POLL_MS, Math.max(MIN_WAIT_MS, dueAt - ports.now()))
        await waitFor(woken.promise, delayMs, signal)
      }
      changes.stop()
      const timer = setTimeout(() => {
        isInterrupted = true
        sender.interrupt()
      }, SHUTDOWN_WAIT_MS)
      await waitForInFlight()
      clearTimeout(timer)
      await sender.close()
    },
    async sendAllDue() {
      const { signal } = new AbortController()
      for (const workspaceId of await listDispatchedWorkspaces(db.read))
        await dispatchEvents(dispatchContext, workspaceId, signal)
      while ((await startDue(signal)) > 0 || inFlight.size > 0 || work.isAnyLate()) await waitForInFlight()
    },
  }
}
