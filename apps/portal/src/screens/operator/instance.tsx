import { Alert, Anchor, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { formatBytes, formatNumber, pluralize } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { findHealthWarnings } from './health-warnings.ts'
import classes from './operator.module.css'
import { type InstanceState, instanceKey, readInstance } from './operator-data.ts'

const REFRESH_INTERVAL_MS = 10_000

/** The health of the instance, with warnings and advice. */
export function Instance() {
  const { data, error, refetch } = useQuery({
    queryKey: instanceKey,
    queryFn: readInstance,
    refetchInterval: REFRESH_INTERVAL_MS,
  })
  return (
    <Screen
      title="Health"
      description={`The state of this instance, updated every ${REFRESH_INTERVAL_MS / 1000} seconds.`}
    >
      {data ? <Health instance={data} isStale={error !== null} /> : null}
      {!data && error ? (
        <Card>
          <ErrorState error={error} retry={() => void refetch()} />
        </Card>
      ) : null}
      {data || error ? null : (
        <Stack gap="md" aria-busy="true">
          <Skeleton h={64} />
          <Skeleton h={180} />
          <Skeleton h={180} />
        </Stack>
      )}
    </Screen>
  )
}

interface Props {
  readonly instance: InstanceState
  /** Whether the last refresh failed and the data is from an earlier one. */
  readonly isStale: boolean
}

function Health({ instance, isStale }: Props) {
  const warnings = findHealthWarnings(instance)
  return (
    <Stack gap="md">
      {isStale ? (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />}>
          The server is not responding. These figures may be out of date.
        </Alert>
      ) : null}
      {warnings.length === 0 && !isStale ? (
        <Alert color="green" icon={<IconCircleCheck size={20} aria-hidden />} title="All systems healthy">
          No action is needed.
        </Alert>
      ) : null}
      {warnings.map(({ severity, title, advice, link }) => (
        <Alert
          key={title}
          color={severity === 'fault' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={withCode(title)}
        >
          {advice === undefined ? null : withCode(advice)}
          {link ? (
            <Anchor component={Link} to={link.to} size="sm" underline="always" data-tap>
              {link.label}
            </Anchor>
          ) : null}
        </Alert>
      ))}
      <div className={classes.cards}>
        <ServerCard instance={instance} />
        <StorageCard instance={instance} />
        <BackupCard backup={instance.backup} />
        <TotalsCard instance={instance} />
      </div>
    </Stack>
  )
}

/** Shows what a text has in backticks as code. */
const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={`${index} ${part}`} className={classes.code}>
        {part}
      </code>
    ),
  )

const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}
  </dl>
)

const ServerCard = ({ instance }: Pick<Props, 'instance'>) => (
  <Card title="Server">
    <Facts
      rows={[
        ['Reeve', instance.version],
        ['Database', instance.engine],
        ['Uptime', formatDuration(Number(instance.uptimeSeconds))],
        ['Memory', formatBytes(instance.memoryBytes)],
        ['Writes', formatNumber(instance.writes.committed)],
        ['Queued writes', formatNumber(instance.writes.waiting)],
      ]}
    />
  </Card>
)

function DiskUsage({ disk }: { readonly disk: NonNullable<InstanceState['disk']> }) {
  const used = Number(disk.totalBytes) - Number(disk.freeBytes)
  return (
    <>
      <Text size="sm">
        {formatBytes(disk.freeBytes)} free of {formatBytes(disk.totalBytes)}
      </Text>
      <Progress my="xs" value={(used / Math.max(Number(disk.totalBytes), 1)) * 100} aria-label="Disk usage" />
    </>
  )
}

function StorageCard({ instance: { disk, databaseBytes, media } }: Pick<Props, 'instance'>) {
  return (
    <Card title={disk ? 'Disk' : 'Storage'}>
      {disk ? <DiskUsage disk={disk} /> : null}
      <Facts
        rows={[
          ['Database', formatBytes(databaseBytes)],
          [pluralize(media.count, 'image'), formatBytes(media.bytes)],
        ]}
      />
    </Card>
  )
}

const BackupCard = ({ backup }: { readonly backup: InstanceState['backup'] }) => (
  <Card title="Backups">
    <Text size="sm" mb="xs">
      {backup.found}
    </Text>
    {backup.advice && backup.verdict === 'ok' ? (
      <Text size="sm" c="dimmed">
        {backup.advice}
      </Text>
    ) : null}
    {backup.madeAt ? (
      <Text size="sm" c="dimmed">
        Last backup <FormattedTime value={backup.madeAt} />
        {backup.file ? <>: {backup.file}</> : null}
      </Text>
    ) : null}
    {backup.failedAt ? (
      <Text size="sm" c="dimmed" mt="xs">
        Last failed <FormattedTime value={backup.failedAt} />: {backup.problem}
      </Text>
    ) : null}
  </Card>
)

const TotalsCard = ({ instance: { accounts, workspaces, records } }: Pick<Props, 'instance'>) => (
  <Card title="Content">
    <Facts
      rows={[
        ['Accounts', formatNumber(accounts)],
        ['Workspaces', formatNumber(workspaces)],
        ['Cases', formatNumber(records)],
      ]}
    />
  </Card>
)
