import { hasErrorCode, type Ports } from '@reeve/core'
import { createTimeSlicer, type Database, type DeliveryTable, type WebhookTable } from '@reeve/db'
import { formatBody } from '../dispatch/body.ts'
import { type ReadResource, resourceFields } from '../dispatch/resources.ts'
import { type Attempt, toOutgoingWebhook } from '../outbound/attempt.ts'
import { findMessage } from '../outbound/discord-message.ts'
import type { Sender } from '../outbound/sender.ts'
import { type Claim, type DueWebhook, getConcurrency, isSlowedDown, type Share } from './claim-limits.ts'
import { MAX_IN_FLIGHT, MAX_TO_FAILING } from './limits.ts'
import { toMessageId } from './model.ts'
import { releaseDelivery } from './release.ts'
import { createResultStore } from './result-store.ts'

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

interface InFlight {
  readonly webhook: WebhookTable
  readonly settled: Promise<void>
}

/**
 * Makes attempts to send what was claimed, and knows how many are in progress.
 * @param runner names this process
 * @param onEnd called when an attempt has ended, with whether the receiver has the delivery
 */
export function createAttempts(
  { db, ports, readResource, sender, onFailure, onAttempt }: DeliveryOptions,
  runner: string,
  onEnd: (isDelivered: boolean) => void,
) {
  const results = createResultStore(db, ports, runner)
  const inFlight = new Set<InFlight>()
  let isInterrupted = false

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
        onEnd(isDelivered)
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

  return {
    shareSlots,
    startAll,
    count: (): number => inFlight.size,
    isFull: (): boolean => inFlight.size >= MAX_IN_FLIGHT,
    /** Resolves when those in progress have ended. */
    waitForAll: async (): Promise<void> => {
      await Promise.all([...inFlight].map(({ settled }) => settled))
    },
    /** From now on, an attempt that is in progress and fails does not count: the delivery is sent again. */
    interrupt(): void {
      isInterrupted = true
      sender.interrupt()
    },
    /** Ends an interruption. */
    resume(): void {
      isInterrupted = false
    },
  }
}
