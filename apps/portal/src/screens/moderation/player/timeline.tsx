import { Anchor, Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../../api/me.ts'
import { DataList } from '../../../components/data-list.tsx'
import { EmptyState } from '../../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { actionInfo } from '../action-labels.ts'
import { ModerationActionIcon, SeverityBadge, StatusBadge } from '../badges.tsx'
import { type ActorNames, type RecordFacts, type RecordSummary, useActorNames } from '../queries.ts'
import { countItems, PersonName } from '../record-fields.tsx'
import { AuthorText, SanctionDurationText } from '../record-row.tsx'
import classes from './timeline.module.css'
import { TimelineFilterBar, timelineFilterParsers, timelineQuery } from './timeline-filters.tsx'

interface Props {
  readonly userId: string
  readonly canAct: boolean
}

/** Every record of a player, newest first. */
export function Timeline({ userId, canAct }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [filters, setFilters] = useFilters(timelineFilterParsers)
  const isFiltered = Object.keys(filters).length > 0
  const pages = useInfiniteQuery(timelineQuery(workspaceId, userId, filters))
  const records = pages.data?.pages.flatMap((page) => page.records) ?? []
  const names = useActorNames(workspaceId, listUnnamedRevokers(records))
  return (
    <>
      {isFiltered || records.length > 1 ? (
        <TimelineFilterBar filters={filters} setFilters={setFilters} />
      ) : null}
      <DataList
        pages={pages}
        label="History"
        className={classes.timeline}
        rows={(page) => page.records}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <EmptyState icon={IconHistory} title="No cases match these filters">
              Clear a filter to see more.
            </EmptyState>
          ) : (
            <EmptyState icon={IconHistory} title="No cases yet">
              {canAct
                ? 'The first action you take on this player is listed here. Check the ID first: nothing else is known about them.'
                : 'Nothing has been recorded about this player.'}
            </EmptyState>
          )
        }
      >
        {(record) => <TimelineItem record={record} names={names} />}
      </DataList>
    </>
  )
}

function TimelineItem({ record, names }: { readonly record: RecordSummary; readonly names: ActorNames }) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, status, severity, reason, caseNumber } = record
  return (
    <article className={classes.item} data-ended={isSanctionKind(action) && status !== 'active'}>
      <ModerationActionIcon action={action} />
      <div className={classes.text}>
        <div className={classes.header}>
          <span className={classes.action}>{isRecordAction(action) ? actionInfo[action].past : action}</span>
          <StatusBadge record={record} />
          <SeverityBadge severity={severity} />
          <Anchor
            component={Link}
            to={`/w/${workspaceId}/moderation/cases/${id}`}
            className={classes.caseLink}
            data-tap
          >
            Case {caseNumber}
          </Anchor>
        </div>
        <Text size="sm" component="div" className={classes.reason}>
          {reason === null ? <em className={classes.redacted}>Redacted</em> : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div" className={classes.facts}>
          <span>
            <SanctionDurationText record={record} />
            <AuthorText record={record} />
          </span>
          {countItems(record).map(({ icon: Icon, text }) => (
            <span key={text} className={classes.count}>
              <Icon size={14} aria-hidden /> {text}
            </span>
          ))}
        </Text>
        <RevocationNote record={record} names={names} />
      </div>
    </article>
  )
}

/** Who lifted or revoked records without their names, by id: records from before Reeve stored the names. */
export const listUnnamedRevokers = (records: readonly RecordFacts[]): string[] =>
  records.flatMap(({ revokedBy, revokedByUsername }) =>
    revokedBy === null || revokedByUsername !== null ? [] : [revokedBy],
  )

/** Who lifted or revoked a record, when and why. @param props.names those of `listUnnamedRevokers` */
export function RevocationNote({
  record,
  names,
  showsPlatformId = false,
}: {
  readonly record: RecordFacts
  readonly names: ActorNames
  readonly showsPlatformId?: boolean
}) {
  const { action, revokedAt, revokedBy, revokedByUsername, revokedByPlatformUserId, revokeReason } = record
  if (revokedAt === null) return null
  return (
    <Text size="sm" component="div" className={classes.revocation}>
      {isSanctionKind(action) ? 'Lifted' : 'Revoked'} by{' '}
      <PersonName
        username={revokedByUsername ?? names.get(revokedBy ?? '') ?? null}
        platformUserId={showsPlatformId ? revokedByPlatformUserId : null}
      />
      , <FormattedTime value={revokedAt} />
      {revokeReason === null ? null : (
        <>
          : <bdi>{revokeReason}</bdi>
        </>
      )}
    </Text>
  )
}
