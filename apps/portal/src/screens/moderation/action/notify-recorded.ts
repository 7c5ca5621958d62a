import { isRecordAction, isSanctionKind, LIFT_PERMISSIONS, type Permission } from '@reeve/core'
import { notifySuccess } from '../../../components/toast.tsx'
import { actionInfo, formatPlayerName, nounWithArticle } from '../action-labels.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { formatUntil } from '../format-time.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'

/** Kept with the record, so that nobody wonders. */
const UNDO_REASON = 'Taken back right after'

interface UndoContext {
  /** Whether one that was in force gave way: taking the new one back would not bring it back. */
  readonly hasSuperseded: boolean
  readonly permissions: ReadonlySet<Permission>
}

/** Says what was done, by what the server answered, and offers to take it back where that leaves things as they were. */
export function notifyRecorded(
  workspaceId: string,
  record: ModerationRecord,
  { hasSuperseded, permissions }: UndoContext,
): void {
  const { action, id, version } = record
  const canUndo = permissions.has(isSanctionKind(action) ? LIFT_PERMISSIONS[action] : 'moderation.revoke')
  if (!canUndo || hasSuperseded) {
    notifySuccess(formatRecorded(record))
    return
  }
  const undoAction = isSanctionKind(action) ? `un${action}` : 'revoke'
  const run = async () => {
    const request = { action: undoAction, id, reason: UNDO_REASON }
    await withExplainedErrors(workspaceId, () => submitModeration(workspaceId, request, version))
    notifySuccess(`Case ${record.caseNumber} was taken back.`)
  }
  notifySuccess(formatRecorded(record), { label: 'Undo', run })
}

function formatRecorded(record: ModerationRecord): string {
  const { action, caseNumber, expiresAt } = record
  if (!isRecordAction(action)) return `Case ${caseNumber} is recorded.`
  if (isSanctionKind(action)) {
    return `${actionInfo[action].past} ${formatPlayerName(record)} ${formatUntil(expiresAt, Date.now())}. Case ${caseNumber}.`
  }
  return `Recorded ${nounWithArticle(action)} of ${formatPlayerName(record)}. Case ${caseNumber}.`
}
