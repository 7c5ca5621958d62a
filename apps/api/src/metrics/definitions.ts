import { QUOTA_WARNING_PERCENT } from '@reeve/core'

/** What `/metrics` and its reference in the documentation say about a metric. */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
  /** The only engine that has it; both have it by default. */
  readonly engine?: 'SQLite' | 'PostgreSQL'
}

const define = (
  kind: MetricDefinition['kind'],
  labels: readonly string[],
  help: string,
  engine?: MetricDefinition['engine'],
): MetricDefinition => ({ kind, labels, help, ...(engine && { engine }) })

/** Every metric by its name, in the order of the documentation. Units are base units: seconds and bytes. */
export const metricDefinitions = {
  reeve_build_info: define(
    'gauge',
    ['version', 'commit', 'bun'],
    'Version and commit of Reeve, and version of Bun; the value is always 1. The commit is none when it runs from source',
  ),
  reeve_database_info: define('gauge', ['engine', 'version'], 'Database engine; the value is always 1'),
  reeve_ready: define('gauge', [], 'Whether the database responds: 1 or 0'),
  process_start_time_seconds: define('gauge', [], 'Start time of the process since unix epoch in seconds'),
  process_resident_memory_bytes: define('gauge', [], 'Resident memory size in bytes'),
  process_heap_bytes: define('gauge', [], 'Process heap size in bytes'),
  process_cpu_seconds_total: define('counter', [], 'Total user and system CPU time spent in seconds'),

  reeve_http_responses_total: define(
    'counter',
    ['method', 'route', 'code'],
    'HTTP responses by method, route pattern and status code',
  ),
  reeve_http_request_duration_seconds: define(
    'histogram',
    ['method', 'route', 'status'],
    'Duration of HTTP requests by method, route pattern and status class',
  ),
  reeve_failures_total: define('counter', [], 'Server errors; each is in the log with its stack trace'),
  reeve_live_streams: define('gauge', [], 'Open streams of live changes'),
  reeve_sign_ins_total: define(
    'counter',
    ['result'],
    'Sessions that started (succeeded), and attempts that failed or were rate_limited, in this process',
  ),

  reeve_mails_total: define(
    'counter',
    ['result'],
    'Attempts of this process to send an e-mail: sent, postponed (tried again later) or failed (given up)',
  ),
  reeve_mails_waiting: define('gauge', [], 'E-mails of the instance that wait to be sent'),

  reeve_writes_committed_total: define('counter', [], 'Write transactions committed to disk'),
  reeve_writes_waiting: define('gauge', [], 'Write transactions waiting for a commit'),

  reeve_database_size_bytes: define('gauge', [], 'Size of the database, without its WAL'),
  reeve_wal_size_bytes: define('gauge', [], 'Size of the WAL file', 'SQLite'),
  reeve_data_filesystem_free_bytes: define(
    'gauge',
    [],
    'Free space on the file system of the data folder',
    'SQLite',
  ),
  reeve_data_filesystem_size_bytes: define(
    'gauge',
    [],
    'Size of the file system of the data folder',
    'SQLite',
  ),
  reeve_storage_bytes: define('gauge', ['kind'], 'Stored bytes of all workspaces by kind'),
  reeve_storage_quota_workspaces: define(
    'gauge',
    ['state'],
    `Workspaces that use at least ${QUOTA_WARNING_PERCENT}% (state near) or all (state over) of their storage quota`,
  ),

  reeve_postgres_connections: define(
    'gauge',
    ['pool'],
    'Open connections to PostgreSQL by pool',
    'PostgreSQL',
  ),
  reeve_postgres_connections_in_use: define(
    'gauge',
    ['pool'],
    'Connections that a request uses at the moment',
    'PostgreSQL',
  ),
  reeve_postgres_connections_max: define('gauge', ['pool'], 'Maximum size of the pool', 'PostgreSQL'),
  reeve_postgres_requests_waiting: define(
    'gauge',
    ['pool'],
    'Requests that wait for a connection of the pool',
    'PostgreSQL',
  ),
  reeve_postgres_listener_connected: define(
    'gauge',
    [],
    'Whether changes of other processes are received: 1 or 0; while it is 0, caches are bypassed',
    'PostgreSQL',
  ),

  reeve_backup_interval_seconds: define(
    'gauge',
    [],
    'Interval of automatic backups; 0 if they are off',
    'SQLite',
  ),
  reeve_backup_last_success_timestamp_seconds: define(
    'gauge',
    [],
    'When the last backup was created, since unix epoch; 0 if there is none',
    'SQLite',
  ),
  reeve_backup_last_attempt_succeeded: define(
    'gauge',
    [],
    'Whether the last attempt created a backup: 1 or 0; missing before the first attempt',
    'SQLite',
  ),
  reeve_backup_last_upload_timestamp_seconds: define(
    'gauge',
    [],
    'When the last uploaded backup was created, since unix epoch; 0 if none was uploaded, missing without offsite backups',
    'SQLite',
  ),

  reeve_job_interval_seconds: define('gauge', ['job_name'], 'Interval of a scheduled job'),
  reeve_job_runs_total: define(
    'counter',
    ['job_name', 'result'],
    'Runs of a scheduled job in this process: succeeded or failed',
  ),
  reeve_job_last_success_timestamp_seconds: define(
    'gauge',
    ['job_name'],
    'When a run of a scheduled job in this process last succeeded, since unix epoch; missing before',
  ),
  reeve_deliveries_due: define(
    'gauge',
    [],
    'Deliveries to webhooks of the instance that are due and not yet sent; counted up to 1000 for each webhook',
  ),
  reeve_deliveries_oldest_seconds: define(
    'gauge',
    [],
    'How long the oldest of the deliveries that are due has been due',
  ),
  reeve_deliveries_failed_total: define(
    'counter',
    [],
    'Failed attempts of this process to send to a webhook',
  ),
  reeve_workspace_jobs: define('gauge', ['state'], 'Unfinished jobs of workspaces of the instance by state'),
  reeve_workspace_job_duration_seconds: define(
    'histogram',
    ['kind', 'result'],
    'Duration of finished jobs of workspaces by kind and result, waiting excluded',
  ),
} as const satisfies Record<string, MetricDefinition>

export type MetricName = keyof typeof metricDefinitions
