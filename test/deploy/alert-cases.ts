/** Series in the notation of promtool: `10+2x5` is 10, 12, …, 20; `_` is a missing value. */
type Series = Readonly<Record<string, string>>

/** A situation in which an alert fires, and the nearest one in which it does not. */
export interface AlertCase {
  readonly alert: string
  /** The time between two values and two evaluations. Default: 1m. */
  readonly every?: string
  /** When to look, such as `10m`: after the duration that the alert waits. */
  readonly at: string
  readonly firing: Series
  readonly quiet: Series
}

const TARGET = 'job="reeve",instance="a:3000"'
const responses = (code: string) =>
  `reeve_http_responses_total{${TARGET},method="GET",route="/api/moderation",code="${code}"}`
const duration = (le: string) =>
  `reeve_http_request_duration_seconds_bucket{${TARGET},method="GET",route="/api/moderation",status="2xx",le="${le}"}`
const runs = (result: string) => `reeve_job_runs_total{${TARGET},job_name="housekeeping",result="${result}"}`
const one = (name: string, labels = '') => `${name}{${TARGET}${labels && `,${labels}`}}`

const FREE = one('reeve_data_filesystem_free_bytes')
const SIZE = one('reeve_data_filesystem_size_bytes')
const BACKUP = one('reeve_backup_last_success_timestamp_seconds')
const UPLOAD = one('reeve_backup_last_upload_timestamp_seconds')
const START = one('process_start_time_seconds')
const INTERVAL = one('reeve_backup_interval_seconds')

export const alertCases: readonly AlertCase[] = [
  { alert: 'ReeveDown', at: '3m', firing: { [one('up')]: '0x10' }, quiet: { [one('up')]: '1 0 1x10' } },
  {
    alert: 'ReeveRestarting',
    at: '10m',
    firing: { [one('process_start_time_seconds')]: '0 60 120 180x10' },
    quiet: { [one('process_start_time_seconds')]: '0 0 0 180x10' },
  },
  {
    alert: 'ReeveNotReady',
    at: '5m',
    firing: { [one('reeve_ready')]: '1 0x10' },
    quiet: { [one('reeve_ready')]: '1 0 1x10' },
  },
  {
    alert: 'ReeveServerErrors',
    at: '20m',
    firing: { [responses('200')]: '0+1000x30', [responses('503')]: '0+20x30' },
    quiet: { [responses('200')]: '0+1000x30', [responses('503')]: '0+5x30', [responses('404')]: '0+500x30' },
  },
  {
    alert: 'ReeveInternalErrors',
    at: '5m',
    firing: { [one('reeve_failures_total')]: '0 0 1x10' },
    quiet: { [one('reeve_failures_total')]: '7x10' },
  },
  {
    alert: 'ReeveBanChecksSlow',
    at: '30m',
    firing: {
      [duration('0.25')]: '0+900x40',
      [duration('0.5')]: '0+1000x40',
      [duration('+Inf')]: '0+1000x40',
    },
    quiet: {
      [duration('0.25')]: '0+999x40',
      [duration('0.5')]: '0+1000x40',
      [duration('+Inf')]: '0+1000x40',
    },
  },
  {
    alert: 'ReeveWritesQueued',
    at: '5m',
    firing: { [one('reeve_writes_waiting')]: '900x10' },
    quiet: { [one('reeve_writes_waiting')]: '900 0 900 0 900 0 900' },
  },
  {
    alert: 'ReeveDiskWillBeFull',
    every: '10m',
    at: '7h',
    // 20 GB of 100 are free; a tenth of that per hour is used up, or a hundredth.
    firing: { [FREE]: '20000-330x60', [SIZE]: '100000x60' },
    quiet: { [FREE]: '20000-30x60', [SIZE]: '100000x60' },
  },
  {
    alert: 'ReeveDiskAlmostFull',
    at: '10m',
    firing: { [FREE]: '4x20', [SIZE]: '100x20' },
    quiet: { [FREE]: '6x20', [SIZE]: '100x20' },
  },
  {
    alert: 'ReeveWalLarge',
    at: '15m',
    firing: { [one('reeve_wal_size_bytes')]: '600000000x20' },
    quiet: { [one('reeve_wal_size_bytes')]: '60000000x20' },
  },
  {
    alert: 'ReeveListenerDisconnected',
    at: '5m',
    firing: { [one('reeve_postgres_listener_connected')]: '1 0x10' },
    quiet: { [one('reeve_postgres_listener_connected')]: '1 0 1x10' },
  },
  {
    alert: 'ReeveConnectionsExhausted',
    at: '10m',
    firing: { [one('reeve_postgres_requests_waiting', 'pool="writes"')]: '3x20' },
    quiet: { [one('reeve_postgres_requests_waiting', 'pool="writes"')]: '3 3 3 0 3 3 3 0 3 3 3 0' },
  },
  {
    alert: 'ReeveBackupFailed',
    at: '20m',
    firing: { [one('reeve_backup_last_attempt_succeeded')]: '0x30' },
    // Repeated successfully after ten minutes.
    quiet: { [one('reeve_backup_last_attempt_succeeded')]: '0x9 1x20' },
  },
  {
    alert: 'ReeveBackupTooOld',
    every: '30m',
    at: '10h',
    firing: { [BACKUP]: '0x30', [INTERVAL]: '14400x30' },
    quiet: { [BACKUP]: '0x7 14400x7 28800x30', [INTERVAL]: '14400x30' },
  },
  {
    // Without automatic backups, one a week is enough.
    alert: 'ReeveBackupTooOld',
    every: '30m',
    at: '170h',
    firing: { [BACKUP]: '0x400', [INTERVAL]: '0x400' },
    quiet: { [BACKUP]: '0x170 300000x200', [INTERVAL]: '0x400' },
  },
  {
    alert: 'ReeveUploadTooOld',
    every: '30m',
    at: '10h',
    firing: { [UPLOAD]: '0x30', [INTERVAL]: '14400x30' },
    quiet: { [UPLOAD]: '0x7 14400x7 28800x30', [INTERVAL]: '14400x30' },
  },
  {
    // Without automatic backups, one a week is enough.
    alert: 'ReeveUploadTooOld',
    every: '30m',
    at: '170h',
    firing: { [UPLOAD]: '0x400', [INTERVAL]: '0x400' },
    quiet: { [UPLOAD]: '0x170 300000x200', [INTERVAL]: '0x400' },
  },
  {
    // After a bucket was configured, the next backup is the first that can be uploaded.
    alert: 'ReeveUploadTooOld',
    every: '30m',
    at: '50h',
    firing: { [UPLOAD]: '0x100', [INTERVAL]: '86400x100', [BACKUP]: '7200x100', [START]: '3600x100' },
    quiet: { [UPLOAD]: '0x100', [INTERVAL]: '86400x100', [BACKUP]: '3600x100', [START]: '7200x100' },
  },
  {
    alert: 'ReeveJobFailing',
    at: '10m',
    firing: { [runs('failed')]: '0 0 1x20', [runs('succeeded')]: '5x20' },
    // It succeeded when it was repeated.
    quiet: { [runs('failed')]: '0 0 1x20', [runs('succeeded')]: '5 5 5 6x20' },
  },
  {
    // A long archive is one run.
    alert: 'ReeveJobOverdue',
    at: '90m',
    firing: {
      [one('reeve_job_last_success_timestamp_seconds', 'job_name="deliveries"')]: '60x200',
      [one('reeve_job_interval_seconds', 'job_name="deliveries"')]: '5x200',
    },
    quiet: {
      [one('reeve_job_last_success_timestamp_seconds', 'job_name="workspace-jobs"')]: '60x200',
      [one('reeve_job_interval_seconds', 'job_name="workspace-jobs"')]: '5x200',
    },
  },
  {
    alert: 'ReeveJobOverdue',
    at: '90m',
    firing: {
      [one('reeve_job_last_success_timestamp_seconds', 'job_name="activity"')]: '60x200',
      [one('reeve_job_interval_seconds', 'job_name="activity"')]: '60x200',
    },
    // Another process took over.
    quiet: {
      [one('reeve_job_last_success_timestamp_seconds', 'job_name="activity"')]: '60x200',
      [one('reeve_job_interval_seconds', 'job_name="activity"')]: '60x200',
      'reeve_job_last_success_timestamp_seconds{job="reeve",instance="b:3000",job_name="activity"}':
        '60+60x200',
    },
  },
  {
    alert: 'ReeveWorkspaceJobsStuck',
    at: '20m',
    firing: {
      [one('reeve_workspace_jobs', 'state="queued"')]: '2x30',
      [one('reeve_workspace_jobs', 'state="running"')]: '0x30',
    },
    quiet: {
      [one('reeve_workspace_jobs', 'state="queued"')]: '2x30',
      [one('reeve_workspace_jobs', 'state="running"')]: '1x30',
    },
  },
  {
    alert: 'ReeveWorkspaceJobFailed',
    at: '10m',
    firing: {
      [one('reeve_workspace_job_duration_seconds_count', 'kind="copy",result="failed"')]: '0 0 1x20',
    },
    quiet: {
      [one('reeve_workspace_job_duration_seconds_count', 'kind="copy",result="succeeded"')]: '0 0 1x20',
    },
  },
  {
    alert: 'ReeveDeliveriesStuck',
    at: '80m',
    firing: { [one('reeve_deliveries_oldest_seconds')]: '0+60x100' },
    // A retry is due later, and does not wait.
    quiet: { [one('reeve_deliveries_oldest_seconds')]: '0+60x50 0x50' },
  },
  {
    alert: 'ReeveStorageQuotaUsedUp',
    at: '20m',
    firing: { [one('reeve_storage_quota_workspaces', 'state="over"')]: '1x30' },
    quiet: { [one('reeve_storage_quota_workspaces', 'state="near"')]: '1x30' },
  },
  {
    alert: 'ReeveSignInFailures',
    at: '15m',
    firing: { [one('reeve_sign_ins_total', 'result="failed"')]: '0+20x30' },
    quiet: {
      [one('reeve_sign_ins_total', 'result="failed"')]: '0+5x30',
      [one('reeve_sign_ins_total', 'result="succeeded"')]: '0+100x30',
    },
  },
]
