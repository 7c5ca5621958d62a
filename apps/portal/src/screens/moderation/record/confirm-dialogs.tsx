import { isRecordAction, isSanctionKind } from '@reeve/core'
import { openConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { formatList } from '../../../format/list.ts'
import { actionInfo } from '../action-labels.ts'
import { withExplainedErrors } from '../explain-error.ts'
import { submitModeration } from '../mutations.ts'
import type { ModerationRecord } from '../queries.ts'
import { openReasonDialog } from '../reason-dialog.tsx'
import { recordFields } from '../record-fields.tsx'
import { createVersionedSubmit } from './versioned-submit.ts'

/** `the warning of StormRider (261)` */
function describeRecord({ action }: ModerationRecord, playerLabel: string): string {
  return `the ${isRecordAction(action) ? actionInfo[action].noun.toLowerCase() : 'record'} of ${playerLabel}`
}

/** Opens the dialog for marking a record as seen by the player. */
export const openAcknowledgeDialog = (
  workspaceId: string,
  record: ModerationRecord,
  playerLabel: string,
): void =>
  openConfirmDialog({
    title: `Mark case ${record.caseNumber} as seen?`,
    children: `Case ${record.caseNumber} will show that ${playerLabel} has seen it as of now. This cannot be undone.`,
    confirmLabel: 'Mark as seen',
    run: async () => {
      await withExplainedErrors(workspaceId, () =>
        submitModeration(workspaceId, { action: 'acknowledge', id: record.id }),
      )
      notifySuccess(`Marked case ${record.caseNumber} as seen by the player.`)
    },
  })

/** Opens the dialog for revoking a record. @param hasOpenAppeal whether the reader may view an open appeal of it, which ends with it */
export function openRevokeDialog(
  workspaceId: string,
  record: ModerationRecord,
  playerLabel: string,
  hasOpenAppeal: boolean,
): void {
  const { action, status, caseNumber, id } = record
  const submit = createVersionedSubmit(workspaceId, record)
  const isActive = isSanctionKind(action) && status === 'active'
  openReasonDialog({
    title: `Revoke ${describeRecord(record, playerLabel)}?`,
    children: `Case ${caseNumber} stays in the history as revoked, with your name and reason.${isActive ? ` The ${action} ends immediately.` : ''}${hasOpenAppeal ? ' The open appeal ends.' : ''}`,
    submitLabel: `Revoke case ${caseNumber}`,
    isDestructive: true,
    run: async (reason) => {
      await submit({ action: 'revoke', id, reason })
      notifySuccess(`Revoked ${describeRecord(record, playerLabel)}.`)
    },
  })
}

const redactedLabels = formatList(
  Object.values(recordFields).flatMap(({ label, isRedactable }) =>
    isRedactable ? [label.toLowerCase()] : [],
  ),
)

/** Opens the dialog for permanently redacting the texts of a record. */
export function openRedactDialog(workspaceId: string, record: ModerationRecord, playerLabel: string): void {
  const { caseNumber, id } = record
  const submit = createVersionedSubmit(workspaceId, record)
  openReasonDialog({
    title: `Redact ${describeRecord(record, playerLabel)}?`,
    children: (
      <>
        Permanently removes the {redactedLabels} of case {caseNumber}, including from its earlier versions and
        the audit log. The action, the player and the name of the moderator stay. This cannot be undone. The
        audit log keeps the reason you enter here, so leave out anything that must be removed.
      </>
    ),
    submitLabel: 'Redact permanently',
    isDestructive: true,
    confirmText: caseNumber,
    run: async (reason) => {
      await submit({ action: 'redact', id, reason })
      notifySuccess(`Redacted ${describeRecord(record, playerLabel)}.`)
    },
  })
}
