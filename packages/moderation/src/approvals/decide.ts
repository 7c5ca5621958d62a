import {
  type Actor,
  AppError,
  assertVersion,
  type ExpectedVersions,
  forbidden,
  type Ports,
  requireFields,
} from '@reeve/core'
import { type ApprovalTable, type RecordTable, statement, type Transaction } from '@reeve/db'
import { findNextAppeal } from '../appeals/next-appeal.ts'
import { assertCanApprove } from '../limits/assert-limits.ts'
import { assertOutranksPlayer } from '../limits/members-of-player.ts'
import { toRevokedColumns } from '../records/columns.ts'
import { presentRecord } from '../records/model.ts'
import { requireRecord, updateRecord } from '../records/record-store.ts'
import { computeExpiry, isInForce } from '../records/sanction.ts'
import { getApproval } from './list.ts'
import type { ApprovalDecisionInput } from './model.ts'
import { createOwnRequestCheck, isRequestOfPlayer } from './requesters.ts'
import { announceApproval, getApprovalState } from './store.ts'

type ApprovalKey = { readonly workspaceId: string; readonly id: string }

const approvalById = statement<ApprovalKey>()((sql, p) =>
  sql.selectFrom('approval').selectAll().where('workspace_id', '=', p.workspaceId).where('id', '=', p.id),
)
const setDecision = statement<ApprovalKey & { decision: 'approved' | 'rejected'; now: number; by: string }>()(
  (sql, p) =>
    sql
      .updateTable('approval')
      .set({ decision: p.decision, decided_at: p.now, decided_by: p.by })
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '=', p.id),
)

const ENDED = {
  approved: 'This request is already approved.',
  rejected: 'This request is already rejected.',
  expired: 'This request has expired: nobody decided in time, and the temporary ban has ended.',
  superseded: 'The ban was lifted or replaced before a decision, so there is nothing to decide.',
} as const

/**
 * Approves or rejects a ban that waits for approval. An approved ban gets the requested duration; a rejected one ends, or stays as
 * long as the ban that it replaced would have lasted.
 * @throws AppError `not_found`; `version_mismatch` if the record has another version; `conflict` if the request is decided, expired or
 *   superseded; `forbidden`: `needs_approval` for one's own request; to approve, `over_limit` for a ban that the actor could not request, and
 *   `insufficient_rank` for that of a member whom the actor does not outrank
 */
export async function decideApproval(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  input: ApprovalDecisionInput & { readonly ifMatch: ExpectedVersions },
) {
  const { id, action } = requireFields(input, 'id', 'action')
  if (action === 'reject') requireFields(input, 'reason')
  const approval = await tx.first(approvalById, { workspaceId: actor.workspaceId, id })
  if (!approval) throw new AppError('not_found')
  const now = ports.now()
  const state = getApprovalState(approval, now)
  if (state !== 'pending') throw new AppError('conflict', { message: ENDED[state] })
  const record = await requireRecord(tx, actor, approval.record_id)
  assertVersion(record, input.ifMatch)
  // Reversing a batch ends bans too.
  if (!isInForce(record, now)) throw new AppError('conflict', { message: ENDED.superseded })
  await assertAnotherPerson(tx, actor, approval, record, input.actorPlatformUserId)
  if (action === 'approve') {
    assertCanApprove(actor, approval.duration_seconds)
    await assertOutranksPlayer(tx, actor, record.user_id)
  }
  const decision = action === 'approve' ? 'approved' : 'rejected'
  await tx.run(setDecision, { workspaceId: actor.workspaceId, id, decision, now, by: actor.id })
  announceApproval(tx, approval)
  const context = {
    change: {
      ifMatch: input.ifMatch,
      ...(input.actorPlatformUserId !== undefined && { actorPlatformUserId: input.actorPlatformUserId }),
    },
    ...(input.reason !== undefined && { reason: input.reason }),
  }
  const row =
    action === 'approve'
      ? await updateRecord(tx, ports, actor, { auditAction: 'approve', ...context }, record, {
          duration_seconds: approval.duration_seconds,
          expires_at: computeExpiry(record.created_at, approval.duration_seconds),
        })
      : await reject(tx, ports, actor, { approval, record, context, reason: input.reason })
  return {
    approval: await getApproval(tx, ports, actor, id),
    record: presentRecord({ ...row, ...(await findNextAppeal(tx, row)) }, now),
  }
}

interface Rejection {
  readonly approval: ApprovalTable
  readonly record: RecordTable
  readonly context: Omit<Parameters<typeof updateRecord>[3], 'auditAction'>
  readonly reason: string | undefined
}

function reject(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { approval, record, context, reason }: Rejection,
): Promise<RecordTable> {
  const now = ports.now()
  const earlierEnd = approval.fallback_expires_at
  if (earlierEnd !== null && earlierEnd > now) {
    return updateRecord(tx, ports, actor, { auditAction: 'reject_permanence', ...context }, record, {
      duration_seconds: Math.ceil((earlierEnd - record.created_at) / 1000),
      expires_at: earlierEnd,
    })
  }
  const { reason: _, ...withoutReason } = context
  const revoked = toRevokedColumns(actor, context.change, now, reason)
  return updateRecord(tx, ports, actor, { auditAction: 'reject', ...withoutReason }, record, revoked)
}

/**
 * Asserts that the actor is not the person who requested the approval: neither their account, nor an API key of theirs, nor a
 * player whom a key has acted for and who is a member.
 */
async function assertAnotherPerson(
  tx: Transaction,
  actor: Actor,
  approval: ApprovalTable,
  record: RecordTable,
  onBehalfOf: string | undefined,
): Promise<void> {
  const request = { ...approval, actor_platform_user_id: record.actor_platform_user_id }
  const isOwn =
    (await createOwnRequestCheck(tx, actor)(request)) ||
    (onBehalfOf !== undefined && (await isRequestOfPlayer(tx, actor, request, onBehalfOf)))
  if (isOwn)
    throw forbidden('needs_approval', 'Another person must decide: nobody decides their own request.')
}
