import { Anchor, Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { IconHistory, IconLink, IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { pluralize } from '../../../format/number.ts'
import { actionInfo } from '../action-labels.ts'
import { ModerationActionIcon, SeverityBadge, StatusBadge } from '../badges.tsx'
import { type ActorNames, type ModerationRecord, useActorNames, useRecords } from '../queries.ts'
import { SanctionDurationText } from '../record-row.tsx'
import { UnstyledList } from '../unstyled-list.tsx'
import classes from './timeline.module.css'

interface Props {
  readonly userId: string
  readonly canAct: boolean
}

const UNKNOWN_ACTOR = 'somebody who is gone'

/** All that was recorded of a player, the newest first. */
export function Timeline({ userId, canAct }: Props) {
  const { id: workspaceId } = useWorkspace()
  const pages = useRecords(workspaceId, { userId })
  const records = pages.data?.pages.flatMap((page) => page.records) ?? []
  const names = useActorNames(
    workspaceId,
    records.flatMap(({ revokedBy }) => (revokedBy === null ? [] : [revokedBy])),
  )
  return (
    <UnstyledList
      pages={pages}
      label="History"
      className={classes.timeline}
      rows={(page) => page.records}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconHistory} title="No records yet">
          {canAct
            ? 'What you do about this player becomes their first record. Check the id: it is all that is known of them.'
            : 'Nothing was recorded about this player.'}
        </EmptyState>
      }
    >
      {(record) => <TimelineItem record={record} names={names} />}
    </UnstyledList>
  )
}

function TimelineItem({ record, names }: { readonly record: ModerationRecord; readonly names: ActorNames }) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, status, severity, reason, caseNumber, comments, evidence } = record
  return (
    <article className={classes.item} data-over={isSanctionKind(action) && status !== 'active'}>
      <ModerationActionIcon action={action} />
      <div className={classes.text}>
        <div className={classes.head}>
          <span className={classes.what}>{isRecordAction(action) ? actionInfo[action].past : action}</span>
          <StatusBadge action={action} status={status} />
          <SeverityBadge severity={severity} />
          <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${id}`} className={classes.case}>
            Case {caseNumber}
          </Anchor>
        </div>
        <Text size="sm" component="div" className={classes.reason}>
          {reason === null ? <em className={classes.quiet}>Redacted</em> : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div" className={classes.facts}>
          <span>
            <SanctionDurationText record={record} />
            by <bdi>{record.actorUsername ?? UNKNOWN_ACTOR}</bdi>, <FormattedTime value={record.createdAt} />
          </span>
          <CountBadge
            icon={<IconLink size={14} aria-hidden />}
            value={evidence.length}
            one="piece of evidence"
            other="pieces of evidence"
          />
          <CountBadge
            icon={<IconMessage size={14} aria-hidden />}
            value={comments.length}
            one="comment"
            other="comments"
          />
        </Text>
        <RevocationNote record={record} names={names} />
      </div>
    </article>
  )
}

interface CountBadgeProps {
  readonly icon: ReactNode
  readonly value: number
  readonly one: string
  readonly other: string
}

const CountBadge = ({ icon, value, one, other }: CountBadgeProps) =>
  value === 0 ? null : (
    <span className={classes.amount}>
      {icon} {pluralize(value, one, other)}
    </span>
  )

/** Who ended it before its time, and why. */
export function RevocationNote({
  record,
  names,
}: {
  readonly record: ModerationRecord
  readonly names: ActorNames
}) {
  const { action, revokedAt, revokedBy, revokeReason } = record
  if (revokedAt === null) return null
  return (
    <Text size="sm" component="div" className={classes.lifted}>
      {isSanctionKind(action) ? 'Lifted' : 'Taken back'} by{' '}
      <bdi>{names.get(revokedBy ?? '') ?? UNKNOWN_ACTOR}</bdi>, <FormattedTime value={revokedAt} />
      {revokeReason === null ? null : (
        <>
          : <bdi>{revokeReason}</bdi>
        </>
      )}
    </Text>
  )
}
