import { Anchor, Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { useNow } from '../../format/use-now.ts'
import { actionInfo, toLabel } from './action-labels.ts'
import { ModerationActionIcon, PlayerLabel, SeverityBadge, StatusBadge, UNKNOWN_ACTOR } from './badges.tsx'
import { formatSanctionDuration, formatUntilWithRemaining } from './format-time.ts'
import type { RecordFacts, RecordSummary } from './queries.ts'
import classes from './record-row.module.css'

interface Props {
  readonly record: RecordSummary
}

/** One record in a list. */
export function RecordRow({ record }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, severity, userId, userUsername, reason, caseNumber } = record
  return (
    <div className={classes.row}>
      <ModerationActionIcon action={action} />
      <div className={classes.main}>
        <div className={classes.header}>
          <span className={classes.action}>{isRecordAction(action) ? actionInfo[action].past : action}</span>
          <Link
            data-tap
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerLabel userId={userId} userUsername={userUsername} />
          </Link>
          <StatusBadge record={record} />
          {severity === 'high' || severity === 'critical' ? <SeverityBadge severity={severity} /> : null}
        </div>
        <Text size="sm" lineClamp={2} component="div">
          {reason === null ? <span className={classes.redacted}>Redacted</span> : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <SanctionDurationText record={record} />
          <AuthorText record={record} />
        </Text>
      </div>
      <Anchor
        component={Link}
        to={`/w/${workspaceId}/moderation/cases/${id}`}
        className={classes.caseLink}
        data-tap
      >
        Case {caseNumber}
      </Anchor>
    </div>
  )
}

/** Who acted, and when. Lists are in the order in which records were created, so that of an imported one says when that was as well. */
export function AuthorText({ record }: { readonly record: RecordFacts }) {
  const { actorUsername, createdAt, occurredAt } = record
  return (
    <>
      by <bdi>{actorUsername ?? UNKNOWN_ACTOR}</bdi>, <FormattedTime value={occurredAt ?? createdAt} />
      {occurredAt === null ? null : (
        <>
          , imported <FormattedTime value={createdAt} />
        </>
      )}
    </>
  )
}

/** The duration of a ban or mute; nothing for other actions. */
export function SanctionDurationText({ record }: { readonly record: RecordFacts }) {
  const { action, status, expiresAt, durationSeconds } = record
  const now = useNow()
  if (!isSanctionKind(action)) return null
  if (status === 'active') return `${toLabel(formatUntilWithRemaining(expiresAt, now))} · `
  return `${durationSeconds === null ? 'Permanent' : `For ${formatSanctionDuration(Number(durationSeconds))}`} · `
}
