import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricDefinitions } from '@reeve/api/metrics/definitions'
import { listMetrics, METRICS_ENV, readSeries, readServerMetrics, runPromtool } from '../support/metrics.ts'
import { startObjectStore } from '../support/object-store.ts'
import { pollFor } from '../support/poll.ts'
import { type RunningServer, runReeve, startServer } from '../support/program.ts'
import { type BackupFixture, openBackupFixture } from './backups.ts'

/** Each test starts the program several times. */
setDefaultTimeout(60_000)

const HOUR = 3600
const LAST_UPLOAD = 'reeve_backup_last_upload_timestamp_seconds'
/** How far two readings of the same value may be apart while other programs use the disk: 256 MiB. */
const DISK_TOLERANCE = 2 ** 28

let fixture: BackupFixture
let running: RunningServer | null = null
let store: ReturnType<typeof startObjectStore> | null = null
beforeEach(async () => {
  fixture = await openBackupFixture()
})
afterEach(async () => {
  await running?.stop()
  running = null
  await store?.close()
  store = null
  fixture.folder.remove()
})

async function start(env: Record<string, string> = {}) {
  running = await startServer({ dataDir: fixture.folder.data, env: { ...METRICS_ENV, ...env } })
  const { url } = running
  const readMetrics = () => readServerMetrics(url)
  const read = async (series: string) => readSeries(await readMetrics(), series)
  /** Reads a series until it exists and the condition is met. */
  const readUntil = (series: string, condition: (value: number) => boolean = () => true) =>
    pollFor(
      () => read(series),
      (value) => value !== null && condition(value),
      `the condition of ${series} is met`,
    )
  return { readMetrics, read, readUntil }
}

test('the version is that of the program', async () => {
  const { out } = await runReeve(['--version'], { dataDir: fixture.folder.data })
  const [version = ''] = /\d+\.\d+\.\d+/.exec(out) ?? []
  const [, commit = 'none'] = /commit ([\w-]+)/.exec(out) ?? []
  const { read } = await start()
  expect(await read(`reeve_build_info{version="${version}",commit="${commit}",bun="${Bun.version}"}`)).toBe(1)
})

test('the sizes are those of the database file, its WAL and the file system', async () => {
  const { readMetrics, readUntil } = await start()
  const size = (name: string) => statSync(join(fixture.folder.data, name)).size
  // The first runs of the jobs write at the same time.
  await readUntil('reeve_wal_size_bytes', (bytes) => bytes > 0 && bytes === size('reeve.db-wal'))
  const text = await readMetrics()
  expect(readSeries(text, 'reeve_database_size_bytes')).toBe(size('reeve.db'))
  const { bavail, blocks, bsize } = statfsSync(fixture.folder.data)
  const free = readSeries(text, 'reeve_data_filesystem_free_bytes') ?? 0
  expect(Math.abs(free - bavail * bsize)).toBeLessThan(DISK_TOLERANCE)
  expect(readSeries(text, 'reeve_data_filesystem_size_bytes')).toBe(blocks * bsize)
})

describe('backups', () => {
  const lastSuccess = 'reeve_backup_last_success_timestamp_seconds'
  const lastResult = 'reeve_backup_last_attempt_succeeded'

  test('have the time of the last one, also of one that the command creates', async () => {
    const { read } = await start()
    expect([await read(lastSuccess), await read(lastResult)]).toEqual([0, null])
    expect(await read('reeve_backup_interval_seconds')).toBe(0)
    const { takenAt } = await fixture.createBackup()
    expect([await read(lastSuccess), await read(lastResult)]).toEqual([Date.parse(takenAt) / 1000, 1])
  })

  test('are counted as runs of a job when they run automatically', async () => {
    const { read, readUntil } = await start({ REEVE_BACKUP_EVERY: '6h' })
    await readUntil('reeve_job_runs_total{job_name="backup",result="succeeded"}', (runs) => runs === 1)
    expect(await read('reeve_backup_interval_seconds')).toBe(6 * HOUR)
    expect(await read('reeve_job_interval_seconds{job_name="backup"}')).toBe(6 * HOUR)
    expect(await read('reeve_job_runs_total{job_name="backup",result="failed"}')).toBe(0)
    const age = Date.now() / 1000 - ((await read(lastSuccess)) ?? 0)
    expect(age).toBeLessThan(60)
  })

  test('that fail are a failed run, and the time of the last successful one stays', async () => {
    const { takenAt } = await fixture.createBackup()
    const blocked = join(fixture.folder.path, 'blocked')
    writeFileSync(blocked, 'in the way')
    const { read, readUntil } = await start({ REEVE_BACKUP_EVERY: '1s', REEVE_BACKUP_DIR: blocked })
    await readUntil('reeve_job_runs_total{job_name="backup",result="failed"}', (runs) => runs > 0)
    expect(await read(lastResult)).toBe(0)
    expect(await read(lastSuccess)).toBe(Date.parse(takenAt) / 1000)
    expect(await read('reeve_job_last_success_timestamp_seconds{job_name="backup"}')).toBe(null)
  })
})

test('with a bucket to which nothing was uploaded yet, the time of the last upload is 0, and the doctor warns', async () => {
  await fixture.createBackup()
  store = startObjectStore()
  const { read } = await start({
    ...store.backupEnv,
    REEVE_BACKUP_PASSPHRASE: 'a passphrase of some length',
    REEVE_BACKUP_EVERY: '24h',
  })
  expect(await read(LAST_UPLOAD)).toBe(0)
  const { failedFindings } = await fixture.findings()
  expect(failedFindings).toMatchObject([
    { check: 'offsite', verdict: 'warning', found: 'No backup was uploaded to the bucket yet.' },
  ])
})

test('a scheduled job has the time of its last successful run', async () => {
  const { read, readUntil } = await start()
  const at = await readUntil('reeve_job_last_success_timestamp_seconds{job_name="activity"}')
  expect(at).toBeGreaterThan(Date.now() / 1000 - 60)
  expect(await read('reeve_job_runs_total{job_name="activity",result="succeeded"}')).toBe(1)
  expect(await read('reeve_job_interval_seconds{job_name="activity"}')).toBe(60)
})

test('promtool accepts the exposition, which has every metric of SQLite', async () => {
  store = startObjectStore()
  const { readMetrics, readUntil } = await start({
    ...store.backupEnv,
    REEVE_BACKUP_PASSPHRASE: 'a passphrase of some length',
    REEVE_BACKUP_EVERY: '24h',
  })
  await readUntil('reeve_job_runs_total{job_name="backup",result="succeeded"}', (runs) => runs === 1)
  const text = await readMetrics()
  expect(await runPromtool(['check', 'metrics'], text)).toEqual({ exitCode: 0, output: '' })
  const expected = Object.entries(metricDefinitions)
    .filter(([, definition]) => !('engine' in definition && definition.engine === 'PostgreSQL'))
    .map(([name]) => name)
  expect(listMetrics(text).sort()).toEqual(expected.sort())
  expect(readSeries(text, LAST_UPLOAD)).toBe(readSeries(text, 'reeve_backup_last_success_timestamp_seconds'))
  // Without the bucket, no alert about uploads can fire.
  await running?.stop()
  const { read } = await start()
  expect(await read(LAST_UPLOAD)).toBeNull()
})
