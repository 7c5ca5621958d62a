import { Button, Group } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { getNow } from '../../../format/clock.ts'
import { openReasonDialog } from '../reason-dialog.tsx'
import { describeApprove, describeReject } from './approval-text.ts'
import { type Approval, decideApproval } from './approvals-data.ts'

const ICON_SIZE = 16

function openDecision(workspaceId: string, approval: Approval, action: 'approve' | 'reject'): void {
  const isApproval = action === 'approve'
  const { caseNumber } = approval
  openReasonDialog({
    title: isApproval ? `Approve case ${caseNumber}?` : `Reject case ${caseNumber}?`,
    children: isApproval ? describeApprove(approval) : describeReject(approval, getNow()),
    submitLabel: isApproval ? 'Approve the ban' : 'Reject the ban',
    isDestructive: isApproval,
    isOptional: isApproval,
    run: async (reason) => {
      await decideApproval(workspaceId, approval, action, reason)
      notifySuccess(
        isApproval ? `Approved the ban of case ${caseNumber}.` : `Rejected the ban of case ${caseNumber}.`,
      )
    },
  })
}

/** The decision about a ban; a sentence if the user cannot decide. */
export function ApprovalButtons({ approval }: { readonly approval: Approval }) {
  const { id: workspaceId } = useWorkspace()
  if (approval.canDecide !== 'true') return null
  return (
    <Group gap="xs" data-no-print role="group" aria-label={`Decide case ${approval.caseNumber}`}>
      <WriteGuard endpoint="moderation">
        <Button
          color="red"
          leftSection={<IconCheck size={ICON_SIZE} aria-hidden />}
          onClick={() => openDecision(workspaceId, approval, 'approve')}
        >
          Approve
        </Button>
      </WriteGuard>
      <WriteGuard endpoint="moderation">
        <Button
          variant="default"
          leftSection={<IconX size={ICON_SIZE} aria-hidden />}
          onClick={() => openDecision(workspaceId, approval, 'reject')}
        >
          Reject
        </Button>
      </WriteGuard>
    </Group>
  )
}
