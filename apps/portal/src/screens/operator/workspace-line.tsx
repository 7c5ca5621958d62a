import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../api/me.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { QuotaProgress } from '../../components/quota-bar.tsx'
import { formatBytes, formatNumber, pluralize } from '../../format/number.ts'
import classes from './operator.module.css'
import type { WorkspaceRow } from './operator-data.ts'

interface Props {
  readonly workspace: WorkspaceRow
  /** Opens the dialog of its quotas. */
  readonly editQuotas: () => void
  /** Undoes the request to delete it. */
  readonly undoDeletion: () => void
}

/** A workspace with its owner, size and usage. */
export function WorkspaceLine({ workspace, editQuotas, undoDeletion }: Props) {
  const { id, groupName, owner, status, deleteAt, createdAt, members, records } = workspace
  const isMember = useMe().workspaces.some((own) => own.id === id)
  return (
    <div className={`${classes.row} ${classes.workspace}`}>
      <div className={classes.text}>
        <Group gap={6}>
          {isMember ? (
            <Anchor component={Link} to={`/w/${id}`} fw={550} size="sm" data-tap>
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
          {deleteAt === null ? null : (
            <Badge size="sm" variant="light" color="red">
              To be deleted
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          Owner: <bdi>{owner}</bdi> · {pluralize(members, 'member')} · {pluralize(records, 'case')} · created{' '}
          <FormattedTime value={createdAt} format="date" />
        </Text>
        {deleteAt === null ? null : (
          <Text size="sm">
            Everything in it will be deleted on <FormattedTime value={deleteAt} format="dateTime" />.{' '}
            <Anchor
              component="button"
              size="sm"
              data-tap
              onClick={undoDeletion}
              aria-label={`Undo the deletion of ${groupName}`}
            >
              Undo…
            </Anchor>
          </Text>
        )}
      </div>
      <Usage workspace={workspace} />
      <Button variant="default" size="sm" onClick={editQuotas} aria-label={`Set the quotas of ${groupName}`}>
        Quotas…
      </Button>
    </div>
  )
}

/** The requests of this month and the stored bytes, each with a bar if there is a quota for it. */
function Usage({ workspace }: Pick<Props, 'workspace'>) {
  const { callsThisMonth, monthlyQuota, storageBytes, storageLimit, groupName } = workspace
  return (
    <div className={classes.usage}>
      <UsageMeter
        text={
          monthlyQuota === null
            ? `${pluralize(callsThisMonth, 'request')} this month`
            : `${formatNumber(callsThisMonth)} of ${pluralize(monthlyQuota, 'request')}`
        }
        used={callsThisMonth}
        quota={monthlyQuota}
        label={`Used request quota of ${groupName}`}
      />
      <UsageMeter
        text={
          storageLimit === null
            ? `${formatBytes(storageBytes)} stored`
            : `${formatBytes(storageBytes)} of ${formatBytes(storageLimit)}`
        }
        used={storageBytes}
        quota={storageLimit}
        label={`Used storage of ${groupName}`}
      />
    </div>
  )
}

interface UsageMeterProps {
  readonly text: string
  readonly used: string
  readonly quota: string | null
  readonly label: string
}

const UsageMeter = ({ text, used, quota, label }: UsageMeterProps) => (
  <div>
    <Text size="sm" c="dimmed">
      {quota === null ? `${text}, no quota` : text}
    </Text>
    {quota === null ? null : <QuotaProgress used={Number(used)} quota={Number(quota)} label={label} />}
  </div>
)
