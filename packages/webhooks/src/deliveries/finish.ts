import { createSystemActor, type Ports, TEST_EVENT } from '@reeve/core'
import {
  type Conditions,
  type Database,
  type DeliveryTable,
  statement,
  type Transaction,
  type WebhookTable,
} from '@reeve/db'
import { changeStorage } from '@reeve/metering'
import type { Attempt } from '../outbound/attempt.ts'
import { recordWebhookChange } from '../record-change.ts'
import {
  announceWebhook,
  compareIds,
  markDueBy,
  toInactive,
  toKey,
  updateWebhook,
  type WebhookKey,
} from '../store.ts'
import { countDeliveryBytes } from './insert.ts'
import { FAILING_MS, getPause, getRetryDelay, MAX_FAILURE_GAP_MS, SUCCESS_TIME_MS } from './limits.ts'

interface Health {
  readonly workspaceId: string
  readonly id: string
  readonly now: number
  readonly status: number | null
  readonly error: string | null
  /** When the pause ends that follows; 0 for none. */
  readonly holdUntil: number
}

/** An attempt that ends does not shorten a pause that the receiver asked for in its response to another one. */
const toLaterHold = (eb: Conditions<'webhook'>, holdUntil: number) =>
  eb
    .case()
    .when('hold_until', '>', holdUntil)
    .then(eb.ref('hold_until'))
    .else(eb.cast<number>(eb.val(holdUntil), 'bigint'))
    .end()

const markSuccess = statement<Health>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({
      failures: 0,
      failing_since: null,
      last_success_at: p.now,
      last_status: p.status,
      last_error: null,
      hold_until: toLaterHold(eb, p.holdUntil),
    }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)
interface Failure extends Health {
  /** Continues the failures before it if the last of them was not before this time. */
  readonly continuesFrom: number
  /** When it begins to fail if it did not before; null for a test, which is no delivery. */
  readonly failingSince: number | null
}

const markFailure = statement<Failure>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('webhook')
    .set((eb) => {
      const failingSince = eb.cast<number | null>(eb.val(p.failingSince), 'bigint')
      return {
        failures: eb('failures', '+', 1),
        failing_since: eb
          .case()
          .when('last_failure_at', '>=', p.continuesFrom)
          .then(eb.fn.coalesce('failing_since', failingSince))
          .else(failingSince)
          .end(),
        last_failure_at: p.now,
        last_status: p.status,
        last_error: p.error,
        hold_until: toLaterHold(eb, p.holdUntil),
      }
    })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .returningAll(),
)
const postpone = statement<WebhookKey>({ isCommutative: true })((sql, p) =>
  sql
    .updateTable('webhook')
    .set((eb) => ({ next_due_at: eb.ref('hold_until') }))
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id)
    .where('state', '=', 'active'),
)
/** How deliveries end whose receivers respond alike. */
type Ending = Pick<
  DeliveryTable,
  'state' | 'due_at' | 'last_status' | 'last_error' | 'response' | 'message_id' | 'done_at'
>

/** Nothing changes where another process continues the delivery, because the lease has ended. */
const update = statement<
  Ending & {
    workspaceId: string
    targetIds: readonly string[]
    ids: readonly string[]
    durations: readonly number[]
    runner: string
  }
>({ isCommutative: true })((sql, p, dialect) =>
  sql
    .updateTable('delivery')
    .set({
      state: p.state,
      due_at: p.due_at,
      last_status: p.last_status,
      last_error: p.last_error,
      response: p.response,
      duration_ms: dialect.itemOf('id', p.ids, p.durations),
      message_id: p.message_id,
      done_at: p.done_at,
      leased_until: null,
      leased_by: null,
    })
    .where('workspace_id', '=', p.workspaceId)
    // With the webhooks, as in a claim.
    .where(dialect.inList('target_id', p.targetIds))
    .where(dialect.inList('id', p.ids))
    .where('leased_by', '=', p.runner)
    .returning('id'),
)

/** An attempt that has ended. */
export interface FinishedAttempt {
  readonly webhook: WebhookTable
  readonly delivery: DeliveryTable
  readonly attempt: Attempt
}

/** What the response decides of the ending of a delivery. */
const toEnding = ({ delivery, attempt }: FinishedAttempt) => ({
  last_status: attempt.status,
  last_error: attempt.error,
  response: attempt.response,
  message_id: attempt.discordMessageId ?? delivery.message_id,
})

/**
 * Stores how deliveries of a workspace have ended, with one statement for all whose receivers responded alike.
 * @returns those that this process still had
 */
async function storeEndings(
  tx: Transaction,
  runner: string,
  workspaceId: string,
  finished: readonly FinishedAttempt[],
  end: Pick<DeliveryTable, 'state' | 'due_at' | 'done_at'>,
): Promise<readonly FinishedAttempt[]> {
  const alike = Map.groupBy(finished, (one) => JSON.stringify(toEnding(one)))
  const updated = await tx.allEach(
    update,
    [...alike.values()].map((group) => ({
      workspaceId,
      runner,
      ...end,
      ...toEnding(group[0] as FinishedAttempt),
      targetIds: group.map(({ delivery }) => delivery.target_id),
      ids: group.map(({ delivery }) => delivery.id),
      durations: group.map(({ attempt }) => Math.round(attempt.durationMs)),
    })),
  )
  const ids = new Set(updated.flat().map(({ id }) => id))
  return finished.filter(({ delivery }) => ids.has(delivery.id))
}

/** The bytes that the response of an attempt adds to its delivery. */
const countAddedBytes = ({ delivery, attempt }: FinishedAttempt): number =>
  countDeliveryBytes({ payload: delivery.payload, response: attempt.response }) - countDeliveryBytes(delivery)

/** Stores attempts that have succeeded, of webhooks of one workspace. */
export function finishSuccesses(
  db: Database,
  ports: Ports,
  runner: string,
  workspaceId: string,
  finished: readonly FinishedAttempt[],
): Promise<void> {
  return db.write(async (tx) => {
    const now = ports.now()
    const health = new Map<string, Health>()
    for (const { webhook, attempt } of finished.toSorted((one, other) =>
      compareIds(one.webhook, other.webhook),
    )) {
      const holdUntil = getHoldUntil(now, attempt.retryAfterMs ?? 0)
      if (holdUntil === 0 && isKnownToSucceed(webhook, attempt, now)) continue
      health.set(webhook.id, {
        ...toKey(webhook),
        now,
        status: attempt.status,
        error: null,
        holdUntil: Math.max(holdUntil, health.get(webhook.id)?.holdUntil ?? 0),
      })
    }
    // The webhooks before their deliveries, as in a claim, so that the two never wait for each other.
    await tx.allEach(markSuccess, [...health.values()])
    for (const { id, holdUntil } of health.values())
      if (holdUntil > now) await tx.run(postpone, { workspaceId, id })
    const end = { state: 'delivered', due_at: now, done_at: now } as const
    const stored = await storeEndings(tx, runner, workspaceId, finished, end)
    for (const one of finished) if (isTest(one) || one.webhook.failures > 0) announceWebhook(tx, one.webhook)
    const addedBytes = stored.reduce((sum, one) => sum + countAddedBytes(one), 0)
    await changeStorage(tx, workspaceId, 'records', addedBytes)
  })
}

/**
 * Whether another success would only change the time of the last one, by less than `SUCCESS_TIME_MS`: a webhook that gets many events would
 * otherwise be updated as often.
 */
const isKnownToSucceed = (webhook: WebhookTable, { status }: Attempt, now: number): boolean =>
  webhook.failures === 0 &&
  webhook.last_status === status &&
  now - (webhook.last_success_at ?? Number.NEGATIVE_INFINITY) < SUCCESS_TIME_MS

const isTest = ({ delivery }: FinishedAttempt): boolean => delivery.kind === TEST_EVENT

const getHoldUntil = (now: number, pauseMs: number): number => (pauseMs > 0 ? now + pauseMs : 0)

/** Stores an attempt that has failed, and decides when the next one follows. */
export function finishFailure(
  db: Database,
  ports: Ports,
  runner: string,
  finished: FinishedAttempt,
): Promise<void> {
  const { webhook, delivery, attempt } = finished
  const key = toKey(webhook)
  const { status, error } = attempt
  return db.write(async (tx) => {
    const now = ports.now()
    const delay =
      isTest(finished) || attempt.disables ? null : getRetryDelay(delivery.attempt, randomFraction(ports))
    const pauseMs = Math.max(attempt.retryAfterMs ?? 0, getPause(webhook.failures + 1))
    const holdUntil = getHoldUntil(now, pauseMs)
    const dueAt = now + (delay ?? 0)
    // The webhook first, as in a claim, so that the two never wait for each other.
    const failed = await tx.first(markFailure, {
      ...key,
      now,
      status,
      error,
      holdUntil,
      continuesFrom: now - MAX_FAILURE_GAP_MS,
      failingSince: isTest(finished) ? null : now,
    })
    if (failed && failed.hold_until > now) await tx.run(postpone, key)
    else if (delay !== null) await markDueBy(tx, key.workspaceId, [key.id], dueAt)
    const end = {
      state: delay === null ? 'failed' : 'pending',
      due_at: dueAt,
      done_at: delay === null ? now : null,
    } as const
    const [stored] = await storeEndings(tx, runner, key.workspaceId, [finished], end)
    if (isTest(finished) || webhook.failures === 0) announceWebhook(tx, webhook)
    if (failed) await disableIfUseless(tx, ports, failed, finished)
    if (stored) await changeStorage(tx, key.workspaceId, 'records', countAddedBytes(finished))
  })
}

async function disableIfUseless(
  tx: Transaction,
  ports: Ports,
  webhook: WebhookTable,
  finished: FinishedAttempt,
): Promise<void> {
  const now = ports.now()
  const hasFailedTooLong = webhook.failing_since !== null && webhook.failing_since <= now - FAILING_MS
  const reason = finished.attempt.disables ?? (hasFailedTooLong && !isTest(finished) ? 'failing' : null)
  if (reason === null || webhook.state !== 'active' || webhook.deleted_at !== null) return
  const disabled = toInactive(webhook, 'disabled', reason, now)
  // Discord asks never to call a deleted webhook again.
  const after = reason === 'removed' ? { ...disabled, secret: null } : disabled
  await updateWebhook(tx, webhook, after)
  await recordWebhookChange(tx, ports, createSystemActor(webhook.workspace_id), 'disable', webhook, after)
}

/** A number from 0 to 1. */
const randomFraction = (ports: Ports): number => (ports.randomBytes(1)[0] ?? 0) / 255
