import { Alert, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState } from '../../components/states.tsx'
import { bytes, number } from '../../format/number.ts'
import { duration } from '../../format/time.ts'
import { concernsOf } from './concerns.ts'
import { type InstanceState, instanceKey, readInstance } from './data.ts'
import classes from './operator.module.css'

const EVERY_MS = 10_000

/** How the instance is, and what to do where something is not well. */
export function Instance() {
  const { data, error, refetch } = useQuery({
    queryKey: instanceKey,
    queryFn: readInstance,
    refetchInterval: EVERY_MS,
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
  const concerns = concernsOf(instance)
  return (
    <Stack gap="md">
      {isStale ? (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />}>
          The server does not answer at the moment. These figures are older than they look.
        </Alert>
      ) : null}
      {concerns.length === 0 && !isStale ? (
        <Alert color="green" icon={<IconCircleCheck size={20} aria-hidden />} title="All is well">
          Nothing here needs you.
        </Alert>
      ) : null}
      {concerns.map(({ severity, what, advice }) => (
        <Alert
          key={what}
          color={severity === 'fault' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle size={20} aria-hidden />}
          title={what}
        >
          {advice}
        </Alert>
      ))}
      <div className={classes.figures}>
        <ProgramCard instance={instance} />
        <StorageCard instance={instance} />
        <BackupCard backup={instance.backup} />
        <SizeCard instance={instance} />
      </div>
    </Stack>
  )
}

const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}=`}>{value}</dd>])}
  </dl>
)

const ProgramCard = ({ instance }: Pick<Props, 'instance'>) => (
  <Card title="Program">
    <Facts
      rows={[
        ['Reeve', instance.version],
        ['Database', instance.engine],
        ['Running for', duration(Number(instance.uptimeSeconds))],
        ['Memory', bytes(instance.memoryBytes)],
        ['Units written', number(instance.writes.committed)],
        ['Waiting to be written', number(instance.writes.waiting)],
      ]}
    />
  </Card>
)

function RoomOnDisk({ disk }: { readonly disk: NonNullable<InstanceState['disk']> }) {
  const used = Number(disk.totalBytes) - Number(disk.freeBytes)
  return (
    <>
      <Text size="sm">
        {bytes(disk.freeBytes)} free of {bytes(disk.totalBytes)}
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
      {disk ? <RoomOnDisk disk={disk} /> : null}
      <Facts
        rows={[
          ['Database', bytes(databaseBytes)],
          [`${number(media.count)} images in it`, bytes(media.bytes)],
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
        Last made <PlainTime at={backup.madeAt} />
        {backup.file ? <>: {backup.file}</> : null}
      </Text>
    ) : null}
    {backup.failedAt ? (
      <Text size="sm" c="dimmed" mt="xs">
        Last failed <PlainTime at={backup.failedAt} />: {backup.problem}
      </Text>
    ) : null}
  </Card>
)

const SizeCard = ({ instance: { accounts, workspaces, records } }: Pick<Props, 'instance'>) => (
  <Card title="What it holds">
    <Facts
      rows={[
        ['Accounts', number(accounts)],
        ['Workspaces', number(workspaces)],
        ['Records', number(records)],
      ]}
    />
  </Card>
)
