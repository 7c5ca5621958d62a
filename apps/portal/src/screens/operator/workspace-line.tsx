import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../api/me.ts'
import { PlainTime } from '../../components/plain-time.tsx'
import { QuotaProgress } from '../../components/quota-bar.tsx'
import { count, number } from '../../format/number.ts'
import type { WorkspaceRow } from './data.ts'
import classes from './operator.module.css'

interface Props {
  readonly workspace: WorkspaceRow
  /** Asks how much it may. */
  readonly limit: () => void
}

/** A workspace: whose it is, how large, how busy. */
export function WorkspaceLine({ workspace, limit }: Props) {
  const { id, groupName, owner, status, createdAt, members, records } = workspace
  const isOwn = useMe().workspaces.some((one) => one.id === id)
  return (
    <div className={`${classes.row} ${classes.workspace}`}>
      <div className={classes.text}>
        <Group gap={6}>
          {isOwn ? (
            <Anchor component={Link} to={`/w/${id}`} fw={550} size="sm">
              <bdi>{groupName}</bdi>
            </Anchor>
          ) : (
            <Text component="bdi" fw={550} size="sm">
              {groupName}
            </Text>
          )}
          {status === 'archived' ? (
            <Badge size="sm" variant="light" color="gray">
              Archived
            </Badge>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          of <bdi>{owner}</bdi> · {count(members, 'member')} · {count(records, 'record')} · made{' '}
          <PlainTime at={createdAt} as="date" />
        </Text>
      </div>
      <Usage workspace={workspace} />
      <Button variant="default" size="sm" onClick={limit} aria-label={`Set the quota of ${groupName}`}>
        Quota…
      </Button>
    </div>
  )
}

function Usage({ workspace: { callsThisMonth, monthlyQuota, groupName } }: Pick<Props, 'workspace'>) {
  if (monthlyQuota === null) {
    return (
      <Text size="sm" c="dimmed" className={classes.usage}>
        {count(callsThisMonth, 'call')} this month, no quota
      </Text>
    )
  }
  return (
    <div className={classes.usage}>
      <Text size="sm" c="dimmed">
        {number(callsThisMonth)} of {count(monthlyQuota, 'call')}
      </Text>
      <QuotaProgress
        calls={Number(callsThisMonth)}
        quota={Number(monthlyQuota)}
        label={`Share of the quota that ${groupName} used`}
      />
    </div>
  )
}
