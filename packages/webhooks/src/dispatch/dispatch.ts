import { type HistoryReader, isRedaction } from '@reeve/audit'
import type { Ports, WebhookEvent } from '@reeve/core'
import {
  createTimeSlicer,
  type Database,
  redactDeliveries,
  type Transaction,
  yieldToEventLoop,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import { type Claim, type DueWebhook, getConcurrency, type Share } from '../deliveries/claim-limits.ts'
import { claimNew } from '../deliveries/claim-new.ts'
import { countDeliveryBytes, createDelivery, insertDeliveries } from '../deliveries/insert.ts'
import { parseEvents } from '../model.ts'
import { markDeliveriesDue } from '../store.ts'
import { formatBody } from './body.ts'
import { followClock } from './clock-set-back.ts'
import { addClosedAppeals } from './closed-appeals.ts'
import {
  advanceCursor,
  type Cursor,
  findCursor,
  hasActive,
  listSubscribedWebhooks,
  nextEntries,
  type SubscribedWebhook,
} from './cursor.ts'
import { type DueEvent, type ExpiryReport, NO_WEBHOOK } from './due-event.ts'
import {
  advanceExpired,
  type ExpiredPosition,
  findExpiryReports,
  findSentEarly,
  listExpired,
  MAX_EXPIRED,
  toExpiredPosition,
} from './expired.ts'
import { pauseForNewEpoch } from './new-epoch.ts'
import { type ReadResource, resourceFields } from './resources.ts'
import { type Entry, selectEvents } from './select-events.ts'

/** Entries of the audit log per transaction. */
const ENTRIES_PER_PAGE = 100

export interface DispatchContext {
  readonly db: Database
  readonly ports: Ports
  readonly readResource: ReadResource
  readonly history: HistoryReader
  /** Names this process. */
  readonly runner: string
  /** Divides the requests that this process may begin at the moment among webhooks. */
  readonly shareSlots: (webhooks: readonly DueWebhook[]) => readonly Share[]
  /** Sends what was claimed. */
  readonly send: (claims: readonly Claim[]) => Promise<unknown>
}

/** A row to insert. */
interface Dispatched {
  readonly webhook: SubscribedWebhook
  readonly event: DueEvent
  readonly payload: string
}

/**
 * Creates deliveries for what happened in a workspace since it was last called. The rows and the place in the audit log are committed together, so
 * each change creates its deliveries once, whatever fails in between and however many processes do this.
 * @returns whether the workspace has an active webhook
 */
export async function dispatchEvents(
  context: DispatchContext,
  workspaceId: string,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    // Not in the turn of the event loop in which the change was answered.
    await yieldToEventLoop()
    const page = await readPage(context, workspaceId)
    if (page === null) return false
    const { cursor, to, redactedIds, isComplete, webhooks } = page
    const isExpiredAdvanced = to.expiredUntil !== cursor.expired_until || to.expiredId !== cursor.expired_id
    if (to.sequence !== cursor.sequence || isExpiredAdvanced) {
      const events = await addClosedAppeals(context.db.read, workspaceId, page.events)
      await yieldToEventLoop()
      const dispatched = await renderEvents(context, workspaceId, webhooks, events)
      const claims = await commitPage(context, { workspaceId, cursor, to, dispatched, redactedIds })
      // Another process has done it, and continues.
      if (claims === null) return true
      await yieldToEventLoop()
      await context.send(claims)
    }
    if (isComplete) return true
  }
  return true
}

/** @returns null if no webhook of the workspace is active */
async function readPage({ db, ports, history }: DispatchContext, workspaceId: string) {
  const stored = await findCursor(db.read, workspaceId)
  if (!stored || !(await hasActive(db.read, workspaceId))) return null
  const position = await history.read(workspaceId)
  if (position.epoch !== stored.epoch) {
    await pauseForNewEpoch(db, ports, stored, position)
    return null
  }
  const cursor = await followClock(db, ports, stored)
  const now = ports.now()
  // First, so that a sanction which a change replaces in the meantime is found at least in the log.
  const expired = await listExpired(db.read, cursor, now)
  const entries = await db.read.all(nextEntries, {
    workspaceId,
    after: cursor.sequence,
    limit: ENTRIES_PER_PAGE,
  })
  // Last, so that a webhook which exists before a change receives it.
  const webhooks = await listSubscribedWebhooks(db.read, workspaceId)
  const hasAllEntries = entries.length < ENTRIES_PER_PAGE
  const reports = await findExpiryReports(db.read, cursor, entries, hasAllEntries ? expired : [])
  const events = entries.flatMap((entry) => toDueEvents(entry, reports.get(entry.target_id) ?? null))
  const sequence = entries.at(-1)?.sequence ?? cursor.sequence
  if (!hasAllEntries) {
    const to = { sequence, ...toExpiredPosition(cursor) }
    return { cursor, to, events, redactedIds: listRedacted(entries), isComplete: false, webhooks }
  }
  const sentTo = await findSentEarly(db.read, cursor, expired, webhooks)
  for (const { id, action, expires_at } of expired) {
    const at = expires_at ?? now
    for (const type of (action === 'ban'
      ? ['record.ended', 'ban.ended']
      : ['record.ended']) as WebhookEvent[])
      events.push({
        type,
        // Nothing was logged: it is as of the last change before it, so that a later change is newer.
        sequence: entries.findLast((entry) => entry.at <= at)?.sequence ?? cursor.sequence,
        at,
        resource: { kind: 'record', id },
        actor: null,
        banEvent: action === 'ban' ? 'ban.ended' : null,
        before: null,
        sentTo: sentTo.get(id) ?? NO_WEBHOOK,
      })
  }
  return {
    cursor,
    to: { sequence, ...advanceExpired(cursor, expired, now) },
    events,
    redactedIds: listRedacted(entries),
    isComplete: expired.length < MAX_EXPIRED,
    webhooks,
  }
}

function toDueEvents(entry: Entry, expiry: ExpiryReport): DueEvent[] {
  const { events, before } = selectEvents(entry, expiry)
  const { sequence, at } = entry
  const actor = { kind: entry.actor_kind, id: entry.actor_id, username: entry.actor_name }
  const banEvent = events.find(({ type }) => type.startsWith('ban.'))?.type ?? null
  return events.map(({ type, resource }) => ({
    type,
    sequence,
    at,
    resource,
    actor,
    banEvent,
    before,
    sentTo: NO_WEBHOOK,
  }))
}

const listRedacted = (entries: readonly Entry[]): string[] =>
  entries.filter(({ action }) => isRedaction(action)).map(({ target_id }) => target_id)

/** The deliveries of events, with their bodies. Each resource is read once. */
async function renderEvents(
  { db, readResource }: DispatchContext,
  workspaceId: string,
  webhooks: readonly SubscribedWebhook[],
  events: readonly DueEvent[],
): Promise<Dispatched[]> {
  // Most webhooks of a workspace receive the same types.
  const subscriptions = [...Map.groupBy(webhooks, (webhook) => webhook.events)].flatMap(([list, group]) => {
    const types = new Set(parseEvents({ events: list }))
    return group.map((webhook) => ({ webhook, types }))
  })
  const resources = new Map<string, object | null>()
  const dispatched: Dispatched[] = []
  const yieldIfDue = createTimeSlicer()
  for (const event of events) {
    await yieldIfDue()
    const { kind, id } = event.resource
    const subscribed = subscriptions.filter(
      ({ webhook, types }) =>
        event.sequence >= webhook.active_since &&
        !event.sentTo.has(webhook.id) &&
        isSubscribed(webhook, types, event),
    )
    if (subscribed.length === 0) continue
    const key = `${kind} ${id}`
    if (!resources.has(key)) resources.set(key, await readResource(db.read, workspaceId, kind, id))
    const resource = resources.get(key) ?? describeDeleted(workspaceId, event)
    const payload = formatBody(event.type, event.at, {
      workspaceId,
      sequence: String(event.sequence),
      ...(event.actor ? { actor: event.actor } : {}),
      [resourceFields[kind] ?? kind]: resource,
    })
    for (const { webhook } of subscribed) dispatched.push({ webhook, event, payload })
  }
  return dispatched
}

/** What the log knows of a resource that no longer exists: the fields that were set. */
const describeDeleted = (workspaceId: string, { resource, before }: DueEvent): object => ({
  [resource.kind === 'member' ? 'accountId' : 'id']: resource.id,
  workspaceId,
  ...before,
})

/** A channel gets one message about a ban, also if it has subscribed to bans and to records. */
function isSubscribed(webhook: SubscribedWebhook, types: ReadonlySet<string>, event: DueEvent): boolean {
  const { type, banEvent } = event
  const isRepeated =
    webhook.kind === 'discord' && banEvent !== null && banEvent !== type && types.has(banEvent)
  return types.has(type) && !isRepeated
}

/** @returns what was claimed; null if another process has dispatched the page */
function commitPage(
  { db, ports, runner, shareSlots }: DispatchContext,
  page: {
    readonly workspaceId: string
    readonly cursor: Cursor
    readonly to: ExpiredPosition & { readonly sequence: number }
    readonly dispatched: readonly Dispatched[]
    readonly redactedIds: readonly string[]
  },
): Promise<readonly Claim[] | null> {
  const { workspaceId, cursor, to, dispatched, redactedIds } = page
  const webhooks = [...new Set(dispatched.map(({ webhook }) => webhook))]
  const shares = shareSlots(webhooks.filter((webhook) => getConcurrency(webhook) > 1))
  return db.write(async (tx: Transaction) => {
    const advanced = await tx.run(advanceCursor, {
      workspaceId,
      consumer: cursor.consumer,
      epoch: cursor.epoch,
      fromSequence: cursor.sequence,
      fromExpired: cursor.expired_until,
      fromExpiredId: cursor.expired_id,
      ...to,
    })
    if (advanced === 0) return null
    for (const id of redactedIds) await redactDeliveries(tx, workspaceId, id)
    const now = ports.now()
    const deliveries = dispatched.map(({ webhook, event, payload }) =>
      createDelivery(ports, {
        workspace_id: workspaceId,
        target_id: webhook.id,
        kind: event.type,
        resource_id: event.resource.id,
        payload,
      }),
    )
    const { toInsert, claims } = await claimNew(tx, runner, workspaceId, shares, deliveries, now)
    await insertDeliveries(tx, toInsert)
    const waiting = toInsert.filter(({ leased_by }) => leased_by === null).map((one) => one.target_id)
    await markDeliveriesDue(tx, workspaceId, [...new Set(waiting)], now)
    // Last, as after an attempt, so that the two never wait for each other.
    const storedBytes = deliveries.reduce((sum, delivery) => sum + countDeliveryBytes(delivery), 0)
    await changeStorage(tx, workspaceId, 'records', storedBytes)
    return claims
  })
}
