import { Stack, Text, Title } from '@mantine/core'
import { useHasPermission } from '../../../api/me.ts'
import { useNow } from '../../../format/use-now.ts'
import { ApprovalButtons } from './approval-buttons.tsx'
import { describeApproval } from './approval-text.ts'
import classes from './approvals.module.css'
import type { Approval } from './approvals-data.ts'

/** The request for approval of a ban on its case page, and the buttons that decide it. */
export function ApprovalSection({ approval }: { readonly approval: Approval }) {
  const now = useNow()
  const canApprove = useHasPermission('moderation.approve')
  const isWaiting = approval.state === 'pending' && approval.canDecide !== 'true'
  return (
    <section className={classes.section} aria-label="Approval">
      <Title order={2} mb="xs">
        Approval
      </Title>
      <Stack gap="sm">
        <Text size="sm">{describeApproval(approval, now)}</Text>
        {isWaiting ? (
          <Text size="sm" c="dimmed">
            {canApprove
              ? 'You requested it, so another person has to decide.'
              : 'Somebody with the permission to approve bans has to decide.'}
          </Text>
        ) : null}
        <ApprovalButtons approval={approval} />
      </Stack>
    </section>
  )
}
