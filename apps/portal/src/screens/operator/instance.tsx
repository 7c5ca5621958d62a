import { Alert, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/empty-error-loading.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { formatBytes, formatNumber } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { findHealthWarnings } from './health-warnings.ts'
import classes from './operator.module.css'
import { type InstanceState, instanceKey, readInstance } from './operator-data.ts'

const REFRESH_INTERVAL_MS = 10_000

/** How the instance is, and what to do where something is not well. */
export function Instance() {
  const { data, error, refetch } = useQuery({
    queryKey: instanceKey,
    queryFn: readInstance,
    refetchInterval: REFRESH_INTERVAL_MS,
  })
  return (
    <Screen title="Health" description="How this instance is. It is looked at again every ten seconds.">
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
  /** Whether the last look failed: these are the figures of the one before. */
  readonly isStale: boolean
}

function Health({ instance, isStale }: Props) {
  const warnings = findHealthWarnings(instance)
  return (
    <Stack gap="md">
      {isStale ? (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />}>
          The server does not answer at the moment. These figures are older than they look.
        </Alert>
      ) : null}
      {warnings.length === 0 && !isStale ? (
        <Alert color="green" icon={<IconCircleCheck size={20} aria-hidden />} title="All is well">
          Nothing here needs you.
        </Alert>
      ) : null}
      {warnings.map(({ severity, title, advice }) => (
        <Alert
          key={title}
          color={severity === 'fault' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={title}
        >
          {advice}
        </Alert>
      ))}
      <div className={classes.figures}>
        <ServerCard instance={instance} />
        <StorageCard instance={instance} />
        <BackupCard backup={instance.backup} />
        <TotalsCard instance={instance} />
      </div>
    </Stack>
  )
}

const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}
  </dl>
)

const ServerCard = ({ instance }: Pick<Props, 'instance'>) => (
  <Card title="Program">
    <Facts
      rows={[
        ['Reeve', instance.version],
        ['Database', instance.engine],
        ['Running for', formatDuration(Number(instance.uptimeSeconds))],
        ['Memory', formatBytes(instance.memoryBytes)],
        ['Units written', formatNumber(instance.writes.committed)],
        ['Waiting to be written', formatNumber(instance.writes.waiting)],
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
      <Progress
        my="xs"
        value={(used / Math.max(Number(disk.totalBytes), 1)) * 100}
        aria-label="Share of the disk that is used"
      />
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
          [`${formatNumber(media.count)} images in it`, formatBytes(media.bytes)],
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
        Last made <FormattedTime value={backup.madeAt} />
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
  <Card title="What it holds">
    <Facts
      rows={[
        ['Accounts', formatNumber(accounts)],
        ['Workspaces', formatNumber(workspaces)],
        ['Records', formatNumber(records)],
      ]}
    />
  </Card>
)
