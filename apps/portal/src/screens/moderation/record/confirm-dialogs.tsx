import { isRecordAction, isSanctionKind } from '@reeve/core'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { actionInfo } from '../action-labels.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { openReasonDialog } from '../reason-dialog.tsx'
import { createVersionedSubmit } from './versioned-submit.ts'

/** `the warning of 261 (StormRider)` */
function describeRecord({ action }: ModerationRecord, playerLabel: string): string {
  return `the ${isRecordAction(action) ? actionInfo[action].noun.toLowerCase() : 'record'} of ${playerLabel}`
}

/** Asks whether the player has seen it. */
export const openAcknowledgeDialog = (
  workspaceId: string,
  record: ModerationRecord,
  playerLabel: string,
): void =>
  openConfirmDialog({
    title: `Has ${playerLabel} seen this?`,
    children: `Case ${record.caseNumber} then says when the player had seen it. This cannot be taken back.`,
    confirmLabel: 'Mark as seen',
    run: async () => {
      await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, { action: 'acknowledge', id: record.id }),
      )
      notifySuccess(`Case ${record.caseNumber} is marked as seen by the player.`)
    },
  })

/** Asks why a record is to be taken back. */
export function openRevokeDialog(workspaceId: string, record: ModerationRecord, playerLabel: string): void {
  const { action, status, caseNumber, id } = record
  const submit = createVersionedSubmit(workspaceId, record)
  const isActive = isSanctionKind(action) && status === 'active'
  openReasonDialog({
    title: `Take back ${describeRecord(record, playerLabel)}?`,
    children: `Case ${caseNumber} stays in the history as revoked, with who took it back and why.${isActive ? ` The ${action} ends with it, at once.` : ''}`,
    submitLabel: 'Take it back',
    isDestructive: true,
    run: async (reason) => {
      await submit({ action: 'revoke', id, reason })
      notifySuccess(`Took back ${describeRecord(record, playerLabel)}.`)
    },
  })
}

/** Asks why the texts of a record are to be blanked, which nothing brings back. */
export function openRedactDialog(workspaceId: string, record: ModerationRecord, playerLabel: string): void {
  const { caseNumber, id } = record
  const submit = createVersionedSubmit(workspaceId, record)
  openReasonDialog({
    title: `Redact ${describeRecord(record, playerLabel)}?`,
    children: (
      <>
        Blanks the reason, the evidence and the comments of case {caseNumber} for good, in its earlier
        versions and in the audit log too. That it was, about whom and by whom stays. Nobody can bring the
        texts back. The audit log keeps your reason: write nothing into it that has to go.
      </>
    ),
    submitLabel: 'Redact for good',
    isDestructive: true,
    confirmText: caseNumber,
    run: async (reason) => {
      await submit({ action: 'redact', id, reason })
      notifySuccess(`Redacted ${describeRecord(record, playerLabel)}.`)
    },
  })
}
