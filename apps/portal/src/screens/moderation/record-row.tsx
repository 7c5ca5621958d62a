import { Anchor, Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { useNow } from '../../format/use-now.ts'
import { actionInfo } from './action-labels.ts'
import { ModerationActionIcon, PlayerLabel, SeverityBadge, StatusBadge } from './badges.tsx'
import { formatSanctionDuration, formatUntilWithRemaining } from './format-time.ts'
import type { ModerationRecord } from './queries.ts'
import classes from './record-row.module.css'

/** One record in a list: what, to whom, why, by whom, when. */
export function RecordRow({ record }: { readonly record: ModerationRecord }) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, status, severity, userId, userUsername, reason, caseNumber } = record
  return (
    <div className={classes.row}>
      <ModerationActionIcon action={action} />
      <div className={classes.main}>
        <div className={classes.head}>
          <span className={classes.what}>{isRecordAction(action) ? actionInfo[action].past : action}</span>
          <Link
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerLabel userId={userId} userUsername={userUsername} />
          </Link>
          <StatusBadge action={action} status={status} />
          {severity === 'high' || severity === 'critical' ? <SeverityBadge severity={severity} /> : null}
        </div>
        <Text size="sm" lineClamp={2} component="div">
          {reason === null ? <span className={classes.quiet}>Redacted</span> : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <SanctionDurationText record={record} />
          by <bdi>{record.actorUsername ?? 'somebody'}</bdi>, <FormattedTime value={record.createdAt} />
        </Text>
      </div>
      <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${id}`} className={classes.case}>
        Case {caseNumber}
      </Anchor>
    </div>
  )
}

/** How long it holds, where it can hold. */
export function SanctionDurationText({ record }: { readonly record: ModerationRecord }) {
  const { action, status, expiresAt, durationSeconds } = record
  const now = useNow()
  if (!isSanctionKind(action)) return null
  if (status === 'active') return `${capitalize(formatUntilWithRemaining(expiresAt, now))} · `
  return `${durationSeconds === null ? 'Without end' : `For ${formatSanctionDuration(Number(durationSeconds))}`} · `
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
