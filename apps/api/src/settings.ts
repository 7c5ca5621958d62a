import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type IpRange, parseIpRange, workspaceCreations } from '@reeve/auth'
import { DAY_MS, endpoints, HOUR_MS, MINUTE_MS, wire } from '@reeve/core'
import { parseSize } from '@reeve/core/size'
import { bucketSettings } from './images/settings.ts'
import { defineSetting, rejectValue } from './setting.ts'

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host)
    ? host
    : rejectValue('must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0')
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  // Kubernetes sets <SERVICE>_PORT in every pod of a namespace with a service of that name.
  const hint = text.startsWith('tcp://')
    ? ' (Kubernetes sets this variable for a service named reeve; set enableServiceLinks: false in the pod)'
    : ''
  return rejectValue(`must be a whole number from 0 to 65535${hint}`)
}

function readPublicUrl(text: string): URL | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isValid = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isValid && !url.username && !url.password
    ? url
    : rejectValue('must be an http or https URL without a path, such as https://reeve.example')
}

/** First path segments of the routes that have no prefix. */
const RESERVED_PATHS = ['portal', 'admin', 'media', 'docs', 'openapi.json', 'healthz', 'readyz', 'metrics']

function readLegacyPrefix(text: string): string {
  if (!/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(text))
    rejectValue('must be a path such as /api/public/v1: a / before every segment and none at the end')
  const [first = '', second] = text.slice(1).split('/')
  if (RESERVED_PATHS.includes(first)) rejectValue(`must not begin with /${first}, which is reserved`)
  if (first === 'api' && (second === undefined || (endpoints as readonly string[]).includes(second)))
    rejectValue(`must not be ${text}, which is a path of the current API`)
  return text
}

function readOrigins(text: string): readonly string[] {
  return splitList(text).map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : null
    return url && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')
      ? url.origin
      : rejectValue(`must list origins such as https://bot.example; ${origin} is not an origin`)
  })
}

const readProxies = (text: string): readonly IpRange[] =>
  splitList(text).map(
    (range) =>
      parseIpRange(range) ??
      rejectValue(`must list IP addresses or ranges such as 10.0.0.0/8; ${range} is neither`),
  )

const yesOrNo = wire.oneOf(['yes', 'no'])

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Requests per minute; 0 means no limit. */
const rate = wire.integer({ min: 0, max: 1_000_000_000 })

/** How many workspaces an account may own; 0 means no limit. */
const workspaceCount = wire.integer({ min: 0, max: 1_000_000 })

/** How many jobs a workspace may start in 24 hours; 0 means no limit. */
const jobCount = wire.integer({ min: 0, max: 1_000_000 })

/** How many backups to keep; 0 keeps all. */
export const backupCount = wire.integer({ min: 0, max: 10_000 })

/** Attempts are not rate limited, so a shorter token could be guessed. */
const MIN_METRICS_TOKEN = 16

function readMetricsToken(text: string): string | null {
  if (text === '') return null
  return text.length >= MIN_METRICS_TOKEN && /^[\x21-\x7e]+$/.test(text)
    ? text
    : rejectValue(`must be at least ${MIN_METRICS_TOKEN} printable ASCII characters without spaces`)
}

/** Units of a duration, in milliseconds. */
const units: Readonly<Record<string, number>> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** The longest delay of a timer. Source: setTimeout, 2^31 - 1 ms. */
const MAX_INTERVAL_DAYS = 24

function readInterval(text: string): number | null {
  if (text === '' || text === 'none') return null
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const interval = Number(count) * (units[unit] ?? 0)
  return interval > 0 && interval <= MAX_INTERVAL_DAYS * DAY_MS
    ? interval
    : rejectValue(`must be a duration such as 24h, up to ${MAX_INTERVAL_DAYS}d, or none`)
}

/** The error does not repeat the URL, because it contains a password. */
function readDatabaseUrl(text: string): string | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isComplete = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
  return isComplete
    ? text
    : rejectValue('must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name')
}

const readFolder = (text: string): string =>
  text.includes('\0') ? rejectValue('must be a folder path') : resolve(text)

/** Every setting: the one table from which flags, environment variables, help and startup checks are derived. */
export const settings = {
  host: defineSetting({
    flag: 'host',
    env: 'REEVE_HOST',
    placeholder: '<host>',
    fallback: '127.0.0.1',
    help: 'the IP address or host name to listen on; 0.0.0.0 listens on every interface',
    read: readHost,
  }),
  port: defineSetting({
    flag: 'port',
    env: 'REEVE_PORT',
    placeholder: '<number>',
    fallback: '3000',
    help: 'the port to listen on; 0 chooses a free port',
    read: readPort,
  }),
  sharePort: defineSetting({
    flag: 'share-port',
    env: 'REEVE_SHARE_PORT',
    placeholder: '<yes|no>',
    fallback: 'no',
    help: 'yes: processes of one PostgreSQL database on this machine share the port, and the system divides connections among them',
    read: (text) => yesOrNo.read(text) === 'yes',
  }),
  dataDir: defineSetting({
    flag: 'data-dir',
    env: 'REEVE_DATA_DIR',
    placeholder: '<folder>',
    fallback: './data',
    help: 'the folder that contains the database and images',
    read: readFolder,
  }),
  databaseUrl: defineSetting({
    flag: null,
    env: 'REEVE_DATABASE_URL',
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a PostgreSQL database to use instead of a data folder: postgres://user:password@host/name',
    read: readDatabaseUrl,
  }),
  poolerUrl: defineSetting({
    flag: null,
    env: 'REEVE_DATABASE_POOLER_URL',
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the same database through a connection pooler such as PgBouncer, used for requests',
    read: readDatabaseUrl,
  }),
  publicUrl: defineSetting({
    flag: 'public-url',
    env: 'REEVE_PUBLIC_URL',
    placeholder: '<url>',
    fallback: '',
    fallbackLabel: 'http://<host>:<port>',
    help: 'the URL at which browsers and game servers reach this instance',
    read: readPublicUrl,
  }),
  legacyPrefix: defineSetting({
    flag: 'legacy-prefix',
    env: 'REEVE_LEGACY_PREFIX',
    placeholder: '<path>',
    fallback: '/api/public/v1',
    help: 'the second path prefix of every endpoint',
    read: readLegacyPrefix,
  }),
  corsOrigins: defineSetting({
    flag: 'cors-origins',
    env: 'REEVE_CORS_ORIGINS',
    placeholder: '<list>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'comma-separated origins whose pages may send requests with an API key',
    read: readOrigins,
  }),
  trustedProxies: defineSetting({
    flag: 'trusted-proxies',
    env: 'REEVE_TRUSTED_PROXIES',
    placeholder: '<list>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'comma-separated IP addresses or ranges of proxies whose X-Forwarded-For header is trusted',
    read: readProxies,
  }),
  logLevel: defineSetting({
    flag: 'log-level',
    env: 'REEVE_LOG_LEVEL',
    placeholder: '<level>',
    fallback: 'info',
    help: `the minimum level to log: ${logLevels.join(', ')}`,
    read: wire.oneOf(logLevels).read,
  }),
  keyRatePerMinute: defineSetting({
    flag: 'key-rate-per-minute',
    env: 'REEVE_KEY_RATE_PER_MINUTE',
    placeholder: '<requests>',
    fallback: '600',
    help: 'requests per minute for each API key; 0 means no limit',
    read: rate.read,
  }),
  sessionRatePerMinute: defineSetting({
    flag: 'session-rate-per-minute',
    env: 'REEVE_SESSION_RATE_PER_MINUTE',
    placeholder: '<requests>',
    fallback: '1200',
    help: 'requests per minute for each session; 0 means no limit',
    read: rate.read,
  }),
  workspacesPerAccount: defineSetting({
    flag: 'workspaces-per-account',
    env: 'REEVE_WORKSPACES_PER_ACCOUNT',
    placeholder: '<number>',
    fallback: '10',
    help: 'how many workspaces an account may own, archived ones included; 0 means no limit',
    read: workspaceCount.read,
  }),
  workspaceCreation: defineSetting({
    flag: 'workspace-creation',
    env: 'REEVE_WORKSPACE_CREATION',
    placeholder: '<who>',
    fallback: 'anyone',
    help: `who may create workspaces: ${workspaceCreations.join(' or ')}`,
    read: wire.oneOf(workspaceCreations).read,
  }),
  storageQuota: defineSetting({
    flag: 'storage-quota',
    env: 'REEVE_STORAGE_QUOTA',
    placeholder: '<size>',
    fallback: '5GB',
    help: 'how much each workspace may store, such as 5GB or 500MB, unless it has a quota of its own; none means no limit',
    read: (text) => (text === 'none' ? null : parseSize(text) || null),
  }),
  workspaceJobsPerDay: defineSetting({
    flag: 'workspace-jobs-per-day',
    env: 'REEVE_WORKSPACE_JOBS_PER_DAY',
    placeholder: '<number>',
    fallback: '10',
    help: 'how many jobs (archive, copy, roll-back, download) a workspace may start in 24 hours; 0 means no limit',
    read: jobCount.read,
  }),
  backupEvery: defineSetting({
    flag: 'backup-every',
    env: 'REEVE_BACKUP_EVERY',
    placeholder: '<duration>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'how often to create a backup, such as 24h or 30m, or none',
    read: readInterval,
  }),
  backupDir: defineSetting({
    flag: 'backup-dir',
    env: 'REEVE_BACKUP_DIR',
    placeholder: '<folder>',
    fallback: '',
    fallbackLabel: '<data folder>-backups',
    help: 'the folder for backups',
    read: (text): string | null => (text === '' ? null : readFolder(text)),
  }),
  backupKeep: defineSetting({
    flag: 'backup-keep',
    env: 'REEVE_BACKUP_KEEP',
    placeholder: '<number>',
    fallback: '7',
    help: 'how many of the newest backups to keep; 0 keeps all',
    read: backupCount.read,
  }),
  ...bucketSettings,
  metricsToken: defineSetting({
    flag: null,
    env: 'REEVE_METRICS_TOKEN',
    placeholder: '<token>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a bearer token that allows reading /metrics from other machines',
    read: readMetricsToken,
  }),
}

export type SettingName = keyof typeof settings
/** The parsed settings. */
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

/** The data folder; null if the data is in PostgreSQL. */
export const getDataFolder = ({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): string | null => (databaseUrl === null ? dataDir : null)
