import { Badge, Group } from '@mantine/core'
import { isRecordAction } from '@reeve/core'
import { actionInfo, toLabel } from './action-labels.ts'
import classes from './badges.module.css'
import { MatchedText } from './player/matched-text.tsx'
import type { RecordSummary } from './queries.ts'

/** Shown if the account or API key that acted no longer exists. */
export const UNKNOWN_ACTOR = 'unknown'

const statusColors: Readonly<Record<string, string>> = {
  active: 'green',
  expired: 'gray',
  revoked: 'blue',
  superseded: 'gray',
}
const severityColors: Readonly<Record<string, string>> = {
  low: 'gray',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
}

/** The icon of an action, in its color. Decorative: the label is next to it. */
export function ModerationActionIcon({
  action,
  size = 18,
}: {
  readonly action: string
  readonly size?: number
}) {
  if (!isRecordAction(action)) return null
  const { icon: Icon, tone } = actionInfo[action]
  return (
    <span className={classes.icon} data-tone={tone} aria-hidden>
      <Icon size={size} stroke={1.8} />
    </span>
  )
}

/** The status of a record in a list. An active kick, warning or note has none. */
export function StatusBadge({ record }: { readonly record: RecordSummary }) {
  const { action, status, waitsForApproval } = record
  if (waitsForApproval === 'true') return <PendingBadge />
  if (status === 'active' && action !== 'ban' && action !== 'mute') return null
  const label = status === 'active' ? 'Active' : toLabel(status)
  return (
    <Badge size="sm" variant="light" color={status === 'active' ? 'red' : (statusColors[status] ?? 'gray')}>
      {label}
    </Badge>
  )
}

/** The status of a ban that ends by itself unless another person approves it. */
export const PendingBadge = () => (
  <Badge component="span" size="sm" variant="light" color="yellow">
    Waits for approval
  </Badge>
)

export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <Badge size="sm" variant="light" color={severityColors[severity] ?? 'gray'}>
    {toLabel(severity)}
  </Badge>
)

/** A player's newest name and id, never truncated, so that similar players are not confused. */
export const PlayerLabel = ({
  userId,
  userUsername,
  q,
}: {
  readonly userId: string
  readonly userUsername: string | null
  /** The search that found the player: the part of the name that it matches is emphasized. */
  readonly q?: string
}) => (
  <Group component="span" gap={6} className={classes.player}>
    {userUsername === null ? null : (
      <bdi className={classes.name}>
        <MatchedText text={userUsername} q={q} />
      </bdi>
    )}
    <span className={classes.id}>{userId}</span>
  </Group>
)
