import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { PlainTime } from '../../components/plain-time.tsx'
import { useNow } from '../../format/use-now.ts'
import type { Entry } from './data.ts'
import classes from './entry-row.module.css'
import { ActionMark, PlayerMark, SeverityBadge, StatusBadge } from './marks.tsx'
import { sayLength, sayUntilLeft } from './when.ts'
import { isRestraint, isVerb, wordsOf } from './words.ts'

/** One record in a list: what, to whom, why, by whom, when. */
export function EntryRow({ entry }: { readonly entry: Entry }) {
  const { id: workspaceId } = useWorkspace()
  const { id, action, status, severity, userId, userUsername, reason, caseNumber } = entry
  return (
    <div className={classes.row}>
      <ActionMark action={action} />
      <div className={classes.main}>
        <div className={classes.head}>
          <span className={classes.what}>{isVerb(action) ? wordsOf[action].past : action}</span>
          <Link
            to="/w/$workspaceId/moderation/players/$userId"
            params={{ workspaceId, userId }}
            className={classes.player}
          >
            <PlayerMark userId={userId} userUsername={userUsername} />
          </Link>
          <StatusBadge action={action} status={status} />
          {severity === 'high' || severity === 'critical' ? <SeverityBadge severity={severity} /> : null}
        </div>
        <Text size="sm" lineClamp={2} component="div">
          {reason === null ? <span className={classes.quiet}>Redacted</span> : <bdi>{reason}</bdi>}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <How entry={entry} />
          by <bdi>{entry.actorUsername ?? 'somebody'}</bdi>, <PlainTime at={entry.createdAt} />
        </Text>
      </div>
      <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${id}`} className={classes.case}>
        Case {caseNumber}
      </Anchor>
    </div>
  )
}

/** How long it holds, where it can hold. */
export function How({ entry }: { readonly entry: Entry }) {
  const { action, status, expiresAt, durationSeconds } = entry
  const now = useNow()
  if (!isRestraint(action)) return null
  if (status === 'active') return `${capital(sayUntilLeft(expiresAt, now))} · `
  return `${durationSeconds === null ? 'Without end' : `For ${sayLength(Number(durationSeconds))}`} · `
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
