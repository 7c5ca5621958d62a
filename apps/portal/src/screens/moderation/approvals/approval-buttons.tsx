import { Button, Group } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useWorkspace } from '../../../api/me.ts'
import { loadCode } from '../../../app/load-code.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { openModal } from '../../../components/modals.tsx'
import { notifyError } from '../../../components/toast.tsx'
import type { Approval, ApprovalAction } from './approvals-data.ts'

const ICON_SIZE = 16

function openDecision(workspaceId: string, approval: Approval, action: ApprovalAction): void {
  loadCode(() => import('./decision-form.tsx')).then(
    ({ DecisionForm }) =>
      openModal({
        title: `${action === 'approve' ? 'Approve' : 'Reject'} case ${approval.caseNumber}?`,
        closeOnClickOutside: false,
        render: (close) => (
          <DecisionForm workspaceId={workspaceId} shown={approval} action={action} close={close} />
        ),
      }),
    notifyError,
  )
}

/** The decision about a ban; a sentence if the user cannot decide. */
export function ApprovalButtons({ approval }: { readonly approval: Approval }) {
  const { id: workspaceId } = useWorkspace()
  if (approval.canDecide !== 'true') return null
  return (
    <Group gap="xs" data-no-print role="group" aria-label={`Decide case ${approval.caseNumber}`}>
      <WriteGuard endpoint="moderation">
        <Button
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
