import { Anchor, Text } from '@mantine/core'
import { IconHistory, IconLink, IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { PlainTime } from '../../components/plain-time.tsx'
import { EmptyState } from '../../components/states.tsx'
import { count } from '../../format/number.ts'
import { type Entry, type Names, useEntries, useNames } from './data.ts'
import { How } from './entry-row.tsx'
import { ActionMark, SeverityBadge, StatusBadge } from './marks.tsx'
import { PlainList } from './plain-list.tsx'
import classes from './timeline.module.css'
import { isRestraint, isVerb, wordsOf } from './words.ts'

interface Props {
  readonly userId: string
  readonly mayAct: boolean
}

const SOMEBODY = 'somebody who is gone'

/** All that was recorded of a player, the newest first. */
export function Timeline({ userId, mayAct }: Props) {
  const { id: workspaceId } = useWorkspace()
  const pages = useEntries(workspaceId, { userId })
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? []
  const names = useNames(
    workspaceId,
    entries.flatMap(({ revokedBy }) => (revokedBy === null ? [] : [revokedBy])),
  )
  return (
    <PlainList
      pages={pages}
      label="History"
      className={classes.timeline}
      rows={(page) => page.entries}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconHistory} title="No records yet">
          {mayAct
            ? 'What you do about this player becomes their first record. Check the id: it is all that is known of them.'
            : 'Nothing was recorded about this player.'}
        </EmptyState>
      }
    >
      {(entry) => <Item entry={entry} names={names} />}
    </PlainList>
  )
}

function Item({ entry, names }: { readonly entry: Entry; readonly names: Names }) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, status, severity, reason, caseNumber, comments, evidence } = entry
  return (
    <article className={classes.item} data-over={isRestraint(action) && status !== 'active'}>
      <ActionMark action={action} />
      <div className={classes.text}>
        <div className={classes.head}>
          <span className={classes.what}>{isVerb(action) ? wordsOf[action].past : action}</span>
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
            <How entry={entry} />
            by <bdi>{entry.actorUsername ?? SOMEBODY}</bdi>, <PlainTime at={entry.createdAt} />
          </span>
          <Amount
            icon={<IconLink size={14} aria-hidden />}
            of={evidence.length}
            one="piece of evidence"
            other="pieces of evidence"
          />
          <Amount
            icon={<IconMessage size={14} aria-hidden />}
            of={comments.length}
            one="comment"
            other="comments"
          />
        </Text>
        <Lifted entry={entry} names={names} />
      </div>
    </article>
  )
}

interface AmountProps {
  readonly icon: ReactNode
  readonly of: number
  readonly one: string
  readonly other: string
}

const Amount = ({ icon, of, one, other }: AmountProps) =>
  of === 0 ? null : (
    <span className={classes.amount}>
      {icon} {count(of, one, other)}
    </span>
  )

/** Who ended it before its time, and why. */
export function Lifted({ entry, names }: { readonly entry: Entry; readonly names: Names }) {
  const { action, revokedAt, revokedBy, revokeReason } = entry
  if (revokedAt === null) return null
  return (
    <Text size="sm" component="div" className={classes.lifted}>
      {isRestraint(action) ? 'Lifted' : 'Taken back'} by <bdi>{names.get(revokedBy ?? '') ?? SOMEBODY}</bdi>,{' '}
      <PlainTime at={revokedAt} />
      {revokeReason === null ? null : (
        <>
          : <bdi>{revokeReason}</bdi>
        </>
      )}
    </Text>
  )
}
