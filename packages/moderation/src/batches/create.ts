import { findLastSequence } from '@reeve/audit'
import { serializeActor } from '@reeve/auth'
import { type Actor, AppError, invalidRequest, type Ports, requirePermission } from '@reeve/core'
import type { BatchTable, Queries, Transaction } from '@reeve/db'
import { getActionRule, resolveAction } from '../records/actions.ts'
import {
  assertCanQueue,
  endBatch,
  insertBatch,
  insertItems,
  markReversed,
  requireBatch,
} from './batch-store.ts'
import { LAST_NUMBER } from './items.ts'
import { presentBatch } from './model.ts'
import { type BatchCommand, replacesSanctions } from './parse-request.ts'
import { type ChangeSummary, countActorChanges } from './summarize-changes.ts'

/** What an undo is about, up to a sequence of the audit log. */
export interface UndoScope extends ChangeSummary {
  readonly untilSequence: number
}

/**
 * Finds what an undo is about, before its transaction, because that reads the log.
 * @returns null for other commands
 * @throws AppError `invalid_request` if the actor has changed too much
 */
export async function findUndoScope(
  db: Queries,
  { workspaceId }: Actor,
  command: BatchCommand,
): Promise<UndoScope | null> {
  if (command.kind !== 'undo') return null
  const { actorUserId: actorId, since } = command
  const untilSequence = await findLastSequence(db, workspaceId)
  const summary = await countActorChanges(db, { workspaceId, actorId, since }, untilSequence)
  return { ...summary, untilSequence }
}

/** @throws AppError `invalid_request` if there is nothing to undo */
export function assertHasChanges(scope: UndoScope | null): void {
  if (scope === null || scope.recordIds.size > 0) return
  throw invalidRequest({
    field: 'actorUserId',
    message: 'has changed no record since then; check the id and the time',
  })
}

/** Queues a batch, or cancels one. @throws AppError `invalid_request`, `forbidden`, `not_found`, `conflict` */
export async function applyBatchCommand(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  command: BatchCommand,
  scope: UndoScope | null,
): Promise<{ batch: ReturnType<typeof presentBatch> }> {
  if (command.kind === 'cancel') return { batch: presentBatch(await cancel(tx, ports, actor, command.id)) }
  requireActionPermission(actor, command)
  assertHasChanges(scope)
  await assertCanQueue(tx, actor.workspaceId)
  const seenSequence = await findSeenSequence(tx, actor, command)
  const draft = { ...(await draftBatch(tx, ports, actor, command, scope)), ...seenSequence }
  await insertBatch(tx, ports, actor, draft)
  if (command.kind === 'actions') {
    await insertItems(
      tx,
      draft,
      command.targets.map((target, number) => ({ number, target })),
    )
  }
  if (command.kind === 'reversal') await markReversed(tx, actor.workspaceId, command.id, draft.id)
  return { batch: presentBatch(draft) }
}

/**
 * Up to which sequence of the audit log the user knows the sanctions that a batch replaces or lifts: that of the preview.
 * @throws AppError `invalid_request` naming `sequence`, if the workspace has not reached it
 */
async function findSeenSequence(
  db: Queries,
  { workspaceId }: Actor,
  command: BatchCommand,
): Promise<Pick<BatchTable, 'until_sequence'> | null> {
  if (command.kind !== 'actions' || !replacesSanctions(command.input.action)) return null
  const last = await findLastSequence(db, workspaceId)
  const { seenSequence = last } = command
  if (seenSequence > last)
    throw invalidRequest({ field: 'sequence', message: 'must be that of a preview of this workspace' })
  return { until_sequence: seenSequence }
}

/** The permission of the single action, which every item checks again. Where a ladder decides, each item checks that of its step. */
export function requireActionPermission(actor: Actor, command: BatchCommand): void {
  if (command.kind !== 'actions') return
  const { action } = command.input
  requirePermission(
    actor,
    action === undefined ? 'moderation.view' : getActionRule(resolveAction(action)).permission,
  )
}

/** The row of a new batch. A preview has one too, which is not stored. */
export async function draftBatch(
  db: Queries,
  ports: Ports,
  actor: Actor,
  command: Exclude<BatchCommand, { kind: 'cancel' }>,
  scope: UndoScope | null,
): Promise<BatchTable> {
  return {
    workspace_id: actor.workspaceId,
    id: ports.newId(),
    kind: command.kind,
    state: 'queued',
    action: null,
    input: JSON.stringify(command.input),
    target_actor_id: null,
    since: null,
    until_sequence: null,
    reverses_id: null,
    reversed_by_id: null,
    actor: serializeActor(actor),
    position: null,
    succeeded: 0,
    unchanged: 0,
    failed: 0,
    error: null,
    runner: null,
    heartbeat_at: null,
    created_at: ports.now(),
    started_at: null,
    finished_at: null,
    ...(await draftKind(db, actor, command, scope)),
  }
}

async function draftKind(
  db: Queries,
  actor: Actor,
  command: Exclude<BatchCommand, { kind: 'cancel' }>,
  scope: UndoScope | null,
): Promise<Pick<BatchTable, 'total'> & Partial<BatchTable>> {
  if (command.kind === 'actions') {
    const { action } = command.input
    return {
      total: command.targets.length,
      action: action === undefined ? null : resolveAction(action),
      until_sequence: command.seenSequence ?? null,
    }
  }
  if (command.kind === 'reversal') {
    const reversed = await requireBatch(db, actor.workspaceId, command.id)
    assertReversible(reversed)
    return { total: reversed.succeeded, reverses_id: reversed.id, position: LAST_NUMBER }
  }
  const untilSequence = scope?.untilSequence ?? 0
  return {
    total: scope?.recordIds.size ?? 0,
    target_actor_id: command.actorUserId,
    since: command.since,
    until_sequence: untilSequence,
    position: untilSequence + 1,
  }
}

function assertReversible({ finished_at, reversed_by_id, succeeded }: BatchTable): void {
  const conflict = (message: string) => new AppError('conflict', { message })
  if (finished_at === null)
    throw conflict('This batch has not ended. Cancel it first, or wait until it has ended.')
  if (reversed_by_id !== null) throw conflict('This batch is already reversed, or about to be.')
  if (succeeded === 0) throw conflict('This batch has changed nothing, so there is nothing to reverse.')
}

/** Ends a batch before its end. What is done stays done, and can be reversed. */
async function cancel(tx: Transaction, ports: Ports, actor: Actor, id: string): Promise<BatchTable> {
  const row = await requireBatch(tx, actor.workspaceId, id)
  if (row.finished_at !== null) throw new AppError('conflict', { message: 'This batch has already ended.' })
  await endBatch(tx, ports, actor, row, { ...row, state: 'cancelled' })
  return requireBatch(tx, actor.workspaceId, id)
}
