import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../../api/me.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { useNow } from '../../../format/use-now.ts'
import { ReasonForm } from '../reason-form.tsx'
import { describeApproval, describeApprove, describeReject } from './approval-text.ts'
import { type Approval, type ApprovalAction, approvalQuery, decideApproval } from './approvals-data.ts'

interface Props {
  readonly workspaceId: string
  /** The request as it was when the dialog was opened. */
  readonly shown: Approval
  readonly action: ApprovalAction
  readonly close: () => void
}

/** Approves or rejects a ban, with a reason. It says if somebody else decides while the reason is typed. */
export function DecisionForm({ workspaceId, shown, action, close }: Props) {
  const now = useNow()
  const me = useMe()
  const { data: latest } = useQuery(approvalQuery(workspaceId, shown))
  const isApproval = action === 'approve'
  // The own decision is read again before the dialog closes.
  const isSettled = latest.state !== 'pending' && latest.decidedBy !== me.id
  return (
    <ReasonForm
      submitLabel={isApproval ? 'Approve the ban' : 'Reject the ban'}
      isDestructive={isApproval}
      isOptional={isApproval}
      settled={isSettled ? describeApproval(latest, now) : null}
      run={async (reason) => {
        await decideApproval(workspaceId, shown, action, reason)
        const past = isApproval ? 'Approved' : 'Rejected'
        notifySuccess(`${past} the ban of case ${shown.caseNumber}.`)
      }}
      close={close}
    >
      {isApproval ? describeApprove(shown) : describeReject(shown, now)}
    </ReasonForm>
  )
}
