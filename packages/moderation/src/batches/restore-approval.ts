import { type Actor, AppError, type Ports } from '@reeve/core'
import { type ApprovalTable, type RecordTable, statement, type Transaction } from '@reeve/db'
import { announceApproval, findApprovalOfRecord, getApprovalState } from '../approvals/store.ts'
import { hasExpired, isInForce } from '../records/sanction.ts'
import type { Transition } from './record-history.ts'

type Decision = Pick<ApprovalTable, 'decision' | 'decided_at' | 'decided_by'>

const setDecision = statement<Decision & { workspaceId: string; id: string }>()((sql, p) =>
  sql
    .updateTable('approval')
    .set({ decision: p.decision, decided_at: p.decided_at, decided_by: p.decided_by })
    .where('workspace_id', '=', p.workspaceId)
    .where('id', '=', p.id),
)

const UNDECIDED: Decision = { decision: null, decided_at: null, decided_by: null }

/**
 * Lets the request for the approval of a ban wait again if a change that is reverted had ended it, and ends it again if that
 * reversion is reversed.
 * @param before the ban now @param after the ban once it is reverted @param selected the changes that are reverted
 * @throws AppError `conflict` if a ban in force would end at once, because the time to decide about it is over
 */
export async function restoreApproval(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  { before, after, selected }: Reverted,
): Promise<void> {
  if (before.action !== 'ban') return
  const approval = await findApprovalOfRecord(tx, before)
  if (!approval) return
  const decision = decide(ports, actor, approval, { before, after, selected })
  if (decision === null) return
  const { workspace_id: workspaceId, id } = approval
  await tx.run(setDecision, { workspaceId, id, ...decision })
  announceApproval(tx, approval)
}

const tooLateToDecide = () =>
  new AppError('conflict', {
    message:
      'The time to decide about this ban is over, so it was left alone. Check the case, and lift the ban if it was wrong.',
  })

interface Reverted {
  readonly before: RecordTable
  readonly after: RecordTable
  readonly selected: readonly Transition[]
}

/** @returns null if the request stays as it is */
function decide(
  ports: Ports,
  actor: Actor,
  approval: ApprovalTable,
  { before, after, selected }: Reverted,
): Decision | null {
  const now = ports.now()
  const isTemporary = after.in_force === 1 && after.expires_at === approval.expires_at
  if (approval.decision !== null) {
    if (!isTemporary || !selected.some((change) => hasDecided(change, approval))) return null
    if (isInForce(before, now) && hasExpired(after, now)) throw tooLateToDecide()
    return UNDECIDED
  }
  const isReversed = selected.some((change) => hasReopened(change, approval))
  if (isTemporary || (getApprovalState(approval, now) !== 'pending' && !isReversed)) return null
  const isApproved = after.duration_seconds === approval.duration_seconds
  const decision = after.in_force === 0 ? 'superseded' : isApproved ? 'approved' : 'rejected'
  return { decision, decided_at: now, decided_by: actor.id }
}

/** Whether a change ended the temporary ban or gave it another end, which only a decision, a lift or a replacement does. */
const hasDecided = ({ before, after, actorId }: Transition, approval: ApprovalTable): boolean =>
  actorId === approval.decided_by &&
  before.in_force === 1 &&
  before.expires_at === approval.expires_at &&
  (after.in_force === 0 || after.expires_at !== before.expires_at)

/** Whether a change was the undo of a decision, which gave the ban its temporary end back. Its reversal can come after the time to decide. */
const hasReopened = ({ before, after }: Transition, approval: ApprovalTable): boolean =>
  after.in_force === 1 &&
  after.expires_at === approval.expires_at &&
  (before.in_force === 0 || before.expires_at !== after.expires_at)
