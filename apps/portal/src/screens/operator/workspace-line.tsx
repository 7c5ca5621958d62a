import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../api/me.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { QuotaProgress } from '../../components/quota-bar.tsx'
import { formatNumber, pluralize } from '../../format/number.ts'
import classes from './operator.module.css'
import type { WorkspaceRow } from './operator-data.ts'

interface Props {
  readonly workspace: WorkspaceRow
  /** Opens the quota dialog. */
  readonly editQuota: () => void
}

/** A workspace with its owner, size and usage. */
export function WorkspaceLine({ workspace, editQuota }: Props) {
  const { id, groupName, owner, status, createdAt, members, records } = workspace
  const isMember = useMe().workspaces.some((own) => own.id === id)
  return (
    <div className={`${classes.row} ${classes.workspace}`}>
      <div className={classes.text}>
        <Group gap={6}>
          {isMember ? (
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
          Owner: <bdi>{owner}</bdi> · {pluralize(members, 'member')} · {pluralize(records, 'case')} · created{' '}
          <FormattedTime value={createdAt} format="date" />
        </Text>
      </div>
      <Usage workspace={workspace} />
      <Button variant="default" size="sm" onClick={editQuota} aria-label={`Set the quota of ${groupName}`}>
        Quota…
      </Button>
    </div>
  )
}

function Usage({ workspace: { callsThisMonth, monthlyQuota, groupName } }: Pick<Props, 'workspace'>) {
  if (monthlyQuota === null) {
    return (
      <Text size="sm" c="dimmed" className={classes.usage}>
        {pluralize(callsThisMonth, 'request')} this month, no quota
      </Text>
    )
  }
  return (
    <div className={classes.usage}>
      <Text size="sm" c="dimmed">
        {formatNumber(callsThisMonth)} of {pluralize(monthlyQuota, 'request')}
      </Text>
      <QuotaProgress
        used={Number(callsThisMonth)}
        quota={Number(monthlyQuota)}
        label={`Quota usage of ${groupName}`}
      />
    </div>
  )
}
