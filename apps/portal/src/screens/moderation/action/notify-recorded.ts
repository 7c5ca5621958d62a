import { isRecordAction, isSanctionKind, LIFT_PERMISSIONS, type Permission } from '@reeve/core'
import { isVersionMismatch, UserError } from '../../../api/error.ts'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { getNow } from '../../../format/clock.ts'
import { formatPlayerName } from '../../../format/player-name.ts'
import { actionInfo, nounWithArticle } from '../action-labels.ts'
import { formatRequested } from '../approvals/approval-text.ts'
import type { Approval } from '../approvals/approvals-data.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { formatUntil } from '../format-time.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'

/** Stored with the record as its revoke reason. */
const UNDO_REASON = 'Undone immediately'

interface RecordedContext {
  /** Whether an active sanction was replaced. Undoing would not restore it. */
  readonly hasSuperseded: boolean
  /** The request for approval of a ban that needs one. */
  readonly approval: Approval | undefined
  readonly permissions: ReadonlySet<Permission>
}

/** Confirms a recorded action, and offers to undo it if that restores the previous state. */
export function notifyRecorded(
  workspaceId: string,
  record: ModerationRecord,
  { hasSuperseded, approval, permissions }: RecordedContext,
): void {
  const { action, id, version } = record
  const canUndo = permissions.has(isSanctionKind(action) ? LIFT_PERMISSIONS[action] : 'moderation.revoke')
  if (!canUndo || hasSuperseded) {
    notifySuccess(formatRecorded(record, approval))
    return
  }
  const undoAction = isSanctionKind(action) ? `un${action}` : 'revoke'
  const run = async () => {
    const request = { action: undoAction, id, reason: UNDO_REASON }
    try {
      await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request, version))
      notifySuccess(`Undone. Case ${record.caseNumber} stays in the history.`)
    } catch (error) {
      // No further attempt can succeed, so the button to undo disappears.
      if (!isVersionMismatch(error)) throw error
      notifyError(
        new UserError(
          `Case ${record.caseNumber} was changed meanwhile, so nothing was undone. Check the current state before you act again.`,
        ),
      )
    }
  }
  notifySuccess(formatRecorded(record, approval), { label: 'Undo', run })
}

function formatRecorded(record: ModerationRecord, approval: Approval | undefined): string {
  const { action, caseNumber, expiresAt } = record
  if (!isRecordAction(action)) return `Recorded case ${caseNumber}.`
  if (isSanctionKind(action)) {
    const request = approval ? ` The ${formatRequested(approval)} waits for approval.` : ''
    return `${actionInfo[action].past} ${formatPlayerName(record)} ${formatUntil(expiresAt, getNow())}.${request} Case ${caseNumber}.`
  }
  return `Recorded ${nounWithArticle(action)} for ${formatPlayerName(record)}. Case ${caseNumber}.`
}
