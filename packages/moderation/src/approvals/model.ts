import { type Actor, hasPermission, wire } from '@reeve/core'
import type { ApprovalTable, RecordTable } from '@reeve/db'
import { inputField, nextCursor, pageFields, requestObject, responseObject } from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { reasonText } from '../records/codecs.ts'
import { RecordResponse } from '../records/model.ts'
import { Approval } from './approval.ts'
import { approvalStates, getApprovalState } from './store.ts'

const workspaceId = inputField(wire.id, 'The workspace; in query or body')

export const ApprovalsQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'Return this request for approval instead of the list'),
  state: inputField(wire.oneOf(approvalStates), 'Only requests in this state; all by default'),
  ...pageFields,
})
export type ApprovalsQueryInput = Static<typeof ApprovalsQuery>

export const ApprovalDecisionRequest = requestObject({
  workspaceId,
  id: inputField(wire.id, 'The request for approval'),
  action: inputField(wire.oneOf(['approve', 'reject']), 'The decision'),
  reason: inputField(reasonText, 'Why; required to reject'),
  actorPlatformUserId: inputField(wire.playerId, 'The person an API key acts for'),
})
export type ApprovalDecisionInput = Static<typeof ApprovalDecisionRequest>

export const ApprovalResponse = responseObject({ approval: Approval }, 'The request for approval')
export const ApprovalsResponse = responseObject(
  { approvals: Type.Array(Approval), nextCursor },
  'Requests for approval: pending ones by their end, all others newest first',
)
export const DecisionResponse = responseObject(
  { approval: Approval, record: RecordResponse.properties.record },
  'The decided request, and the ban after it',
)

/** A request with the fields of its record and the name of who decided. */
export type ApprovalRow = ApprovalTable &
  Pick<
    RecordTable,
    | 'case_number'
    | 'user_username'
    | 'reason'
    | 'severity'
    | 'ended'
    | 'actor_id'
    | 'actor_username'
    | 'actor_platform_user_id'
  > & { readonly decided_by_username: string | null; readonly decided_by_key: string | null }

/** @param isOwn whether the actor requested it */
export const presentApproval = (
  row: ApprovalRow,
  now: number,
  actor: Actor,
  isOwn: boolean,
): Static<typeof Approval> => {
  const current = getApprovalState(row, now)
  const state = current === 'pending' && row.ended !== null ? 'superseded' : current
  return {
    id: row.id,
    state,
    recordId: row.record_id,
    caseNumber: String(row.case_number),
    userId: row.user_id,
    userUsername: row.user_username,
    reason: row.reason,
    severity: row.severity,
    durationSeconds: row.duration_seconds === null ? null : String(row.duration_seconds),
    requestedAt: wire.time.write(row.requested_at),
    requestedBy: row.actor_id,
    requestedByUsername: row.actor_username,
    expiresAt: wire.time.write(row.expires_at),
    earlierExpiresAt: wire.writeNullableTime(row.fallback_expires_at),
    decidedAt: wire.writeNullableTime(row.decided_at),
    decidedBy: row.decided_by,
    decidedByUsername: row.decided_by_username ?? row.decided_by_key,
    canDecide: wire.boolean.write(
      state === 'pending' && !isOwn && hasPermission(actor, 'moderation.approve'),
    ),
  }
}
