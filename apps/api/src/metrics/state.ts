import { countWaitingMails } from '@reeve/auth'
import { storageKinds } from '@reeve/core'
import type { Database, DatabaseStats, DiskUsage } from '@reeve/db'
import type { StorageTotals } from '@reeve/metering'
import { countDueDeliveries, type DueDeliveries } from '@reeve/webhooks'
import { countJobs } from '@reeve/workspaces'
import { type LastBackup, readLastBackup } from '../backups/last-backup.ts'
import { BUILD, VERSION } from '../version.ts'
import type { Sample } from './format.ts'

/** Where the current state of an instance is read from. */
export interface MetricSources {
  readonly db: Pick<Database, 'stats' | 'read' | 'ping' | 'diskUsage' | 'engine'>
  readonly readStorage: () => Promise<StorageTotals>
  /** The data folder; null if the data is in PostgreSQL. */
  readonly folder: string | null
  /** Between automatic backups; null if there are none. */
  readonly backupIntervalMs: number | null
  /** Whether the settings of the server name a bucket for backups. */
  readonly hasOffsiteBackups: boolean
  readonly countLiveStreams: () => number
  /** The current time in epoch milliseconds. */
  readonly now: () => number
}

/** Epoch seconds. Read once: a clock that is corrected, or rounding, would look like a restart. */
const PROCESS_STARTED_AT = Math.round(Date.now() / 1000 - process.uptime())

/** How long reading a value may take: well below the timeout of Prometheus, which is 10 seconds by default. */
const READ_TIMEOUT_MS = 5000

/** Reads the current state. Without a database, the values that are stored in it are missing. */
export async function readState(sources: MetricSources): Promise<readonly Sample[]> {
  const { db, folder } = sources
  const isReady = await db.ping().then(
    () => true,
    () => false,
  )
  const read = <Value>(query: () => Promise<Value>) => (isReady ? readInTime(query()) : null)
  const [usage, storage, workspaceJobs, deliveries, waitingMails] = await Promise.all([
    read(db.diskUsage),
    read(sources.readStorage),
    read(() => countJobs(db.read)),
    read(() => countDueDeliveries(db.read, sources.now())),
    read(() => countWaitingMails(db.read)),
  ])
  const stats = db.stats()
  return [
    ...presentProgram(),
    ...(isReady ? [presentEngine(db.engine())] : []),
    { name: 'reeve_ready', value: Number(isReady) },
    { name: 'reeve_live_streams', value: sources.countLiveStreams() },
    { name: 'reeve_writes_committed_total', value: stats.committed },
    { name: 'reeve_writes_waiting', value: stats.waiting },
    ...(stats.connections === null ? [] : presentConnections(stats.connections)),
    ...(usage === null ? [] : presentDiskUsage(usage)),
    ...(storage === null ? [] : presentStorage(storage)),
    ...(folder === null ? [] : presentBackups(readLastBackup(folder), sources)),
    ...(waitingMails === null ? [] : [{ name: 'reeve_mails_waiting' as const, value: waitingMails }]),
    ...(workspaceJobs === null ? [] : presentWorkspaceJobs(workspaceJobs)),
    ...(deliveries === null ? [] : presentDeliveries(deliveries)),
  ]
}

/** @returns null if the value cannot be read, or not in time */
async function readInTime<Value>(reading: Promise<Value>): Promise<Value | null> {
  const timeout = Promise.withResolvers<null>()
  const timer = setTimeout(() => timeout.resolve(null), READ_TIMEOUT_MS)
  return Promise.race([reading.catch(() => null), timeout.promise]).finally(() => clearTimeout(timer))
}

function presentEngine(engineAndVersion: string): Sample {
  const [engine = '', version = ''] = engineAndVersion.split(' ')
  return { name: 'reeve_database_info', labels: { engine, version }, value: 1 }
}

function presentProgram(): Sample[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      name: 'reeve_build_info',
      labels: { version: VERSION, commit: BUILD?.commit ?? 'none', bun: Bun.version },
      value: 1,
    },
    { name: 'process_start_time_seconds', value: PROCESS_STARTED_AT },
    { name: 'process_resident_memory_bytes', value: process.memoryUsage.rss() },
    { name: 'process_heap_bytes', value: process.memoryUsage().heapUsed },
    { name: 'process_cpu_seconds_total', value: (user + system) / 1e6 },
  ]
}

const presentConnections = ({ pools, isListening }: NonNullable<DatabaseStats['connections']>): Sample[] => [
  ...pools.flatMap(({ name, max, open, inUse, waiting }): Sample[] => {
    const labels = { pool: name }
    return [
      { name: 'reeve_postgres_connections', labels, value: open },
      { name: 'reeve_postgres_connections_max', labels, value: max },
      ...(inUse === null
        ? []
        : [{ name: 'reeve_postgres_connections_in_use' as const, labels, value: inUse }]),
      { name: 'reeve_postgres_requests_waiting', labels, value: waiting },
    ]
  }),
  { name: 'reeve_postgres_listener_connected', value: Number(isListening) },
]

const presentDiskUsage = ({ bytes, walBytes, disk }: DiskUsage): Sample[] => [
  { name: 'reeve_database_size_bytes', value: bytes - (walBytes ?? 0) },
  ...(walBytes === null ? [] : [{ name: 'reeve_wal_size_bytes' as const, value: walBytes }]),
  ...(disk === null
    ? []
    : [
        { name: 'reeve_data_filesystem_free_bytes' as const, value: disk.free },
        { name: 'reeve_data_filesystem_size_bytes' as const, value: disk.total },
      ]),
]

/** The storage of all workspaces together: a series for each of them could be too many. */
const presentStorage = ({ bytes, nearQuota, overQuota }: StorageTotals): Sample[] => [
  ...storageKinds.map((kind) => ({
    name: 'reeve_storage_bytes' as const,
    labels: { kind },
    value: bytes[kind],
  })),
  { name: 'reeve_storage_quota_workspaces', labels: { state: 'near' }, value: nearQuota },
  { name: 'reeve_storage_quota_workspaces', labels: { state: 'over' }, value: overQuota },
]

const presentBackups = (
  { made, failed, offsite }: LastBackup,
  { backupIntervalMs, hasOffsiteBackups }: MetricSources,
): Sample[] => [
  { name: 'reeve_backup_interval_seconds', value: (backupIntervalMs ?? 0) / 1000 },
  { name: 'reeve_backup_last_success_timestamp_seconds', value: (made?.at ?? 0) / 1000 },
  ...(made === null && failed === null
    ? []
    : [{ name: 'reeve_backup_last_attempt_succeeded' as const, value: Number(failed === null) }]),
  ...(hasOffsiteBackups
    ? [
        {
          name: 'reeve_backup_last_upload_timestamp_seconds' as const,
          value: (offsite?.made?.at ?? 0) / 1000,
        },
      ]
    : []),
]

const presentDeliveries = ({ due, oldestMs }: DueDeliveries): Sample[] => [
  { name: 'reeve_deliveries_due', value: due },
  { name: 'reeve_deliveries_oldest_seconds', value: oldestMs / 1000 },
]

const presentWorkspaceJobs = (counts: Awaited<ReturnType<typeof countJobs>>): Sample[] =>
  Object.entries(counts).map(([state, value]) => ({ name: 'reeve_workspace_jobs', labels: { state }, value }))
