import { SegmentedControl, Text } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { useNow } from '../../format/use-now.ts'
import { ApprovalButtons } from './approvals/approval-buttons.tsx'
import { describeApproval } from './approvals/approval-text.ts'
import classes from './approvals/approvals.module.css'
import { type Approval, approvalsQuery } from './approvals/approvals-data.ts'
import { PlayerLabel } from './badges.tsx'
import { ModerationScreen } from './moderation-screen.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'

/** Reads what the screen shows first. */
export const earlyReads: { readonly Approvals: ReadScreen } = {
  Approvals: ({ client, params: { workspaceId } }) => [
    client.prefetchInfiniteQuery(approvalsQuery(workspaceId, true)),
  ],
}

/** The bans that wait for the approval of another person. */
export const Approvals = () => (
  <RequireModerationView title="Approvals">
    <ApprovalList />
  </RequireModerationView>
)

function ApprovalList() {
  const { id: workspaceId } = useWorkspace()
  const [shown, setShown] = useState('pending')
  const pages = useInfiniteQuery(approvalsQuery(workspaceId, shown === 'pending'))
  return (
    <ModerationScreen
      title="Approvals"
      description="Bans that another person has to approve. Each is in effect for a limited time, until somebody decides."
    >
      <SegmentedControl
        className={classes.choice}
        aria-label="Requests to show"
        data={[
          { value: 'pending', label: 'Waiting' },
          { value: 'all', label: 'All' },
        ]}
        value={shown}
        onChange={setShown}
      />
      <DataList
        pages={pages}
        rows={(page) => page.approvals}
        rowKey={({ id }) => id}
        label="Requests for approval"
        empty={
          <EmptyState
            icon={IconChecks}
            title={shown === 'pending' ? 'Nothing waits for approval' : 'No requests yet'}
          >
            Roles can require approval for permanent bans, under Roles. A ban that needs it is listed here.
          </EmptyState>
        }
      >
        {(approval) => <ApprovalRow approval={approval} />}
      </DataList>
    </ModerationScreen>
  )
}

function ApprovalRow({ approval }: { readonly approval: Approval }) {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const { recordId, caseNumber, userId, userUsername, reason } = approval
  return (
    <div className={classes.row}>
      <div>
        <Link
          data-tap
          to="/w/$workspaceId/moderation/cases/$id"
          params={{ workspaceId, id: recordId }}
          className={classes.link}
        >
          <PlayerLabel userId={userId} userUsername={userUsername} /> · Case {caseNumber}
        </Link>
        <Text size="sm" lineClamp={2} component="div">
          {reason === null ? 'Redacted' : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {describeApproval(approval, now)}
        </Text>
      </div>
      <ApprovalButtons approval={approval} />
    </div>
  )
}
