import { Badge, Group } from '@mantine/core'
import { isRecordAction } from '@reeve/core'
import { actionInfo, toLabel } from './action-labels.ts'
import classes from './badges.module.css'

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

/** A picture of an action, on a ground of its tone; the word stands beside it. */
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
    <span className={classes.mark} data-tone={tone} aria-hidden>
      <Icon size={size} stroke={1.8} />
    </span>
  )
}

/** How a record stands, where that says something: a note that stands is nothing to tell. */
export function StatusBadge({ action, status }: { readonly action: string; readonly status: string }) {
  if (status === 'active' && action !== 'ban' && action !== 'mute') return null
  const label = status === 'active' ? 'In force' : toLabel(status)
  return (
    <Badge size="sm" variant="light" color={status === 'active' ? 'red' : (statusColors[status] ?? 'gray')}>
      {label}
    </Badge>
  )
}

export const SeverityBadge = ({ severity }: { readonly severity: string }) => (
  <Badge size="sm" variant="light" color={severityColors[severity] ?? 'gray'}>
    {toLabel(severity)}
  </Badge>
)

/** Id and newest name of a player, both whole: nobody is to be taken for another. */
export const PlayerLabel = ({
  userId,
  userUsername,
}: {
  readonly userId: string
  readonly userUsername: string | null
}) => (
  <Group component="span" gap={6} className={classes.player}>
    {userUsername === null ? null : <bdi className={classes.name}>{userUsername}</bdi>}
    <span className={classes.id}>{userId}</span>
  </Group>
)
