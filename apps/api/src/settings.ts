import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type IpRange, parseIpRange } from '@reeve/auth'
import { DAY_MS, endpoints, HOUR_MS, MINUTE_MS, wire } from '@reeve/core'
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
    : rejectValue('must be an address or a host name, such as 127.0.0.1 or 0.0.0.0')
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  // Kubernetes sets <SERVICE>_PORT in every pod beside a service of that name.
  const hint = text.startsWith('tcp://')
    ? ' (Kubernetes set this for a service named reeve; enableServiceLinks: false in the pod ends that)'
    : ''
  return rejectValue(`must be a whole number from 0 to 65535${hint}`)
}

function readPublicUrl(text: string): URL | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isValid = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isValid && !url.username && !url.password
    ? url
    : rejectValue('must be an http or https address without a path, such as https://reeve.example')
}

/** What answers at the root beside the resources. */
const RESERVED_PATHS = ['portal', 'admin', 'media', 'docs', 'openapi.json', 'healthz', 'readyz', 'metrics']

function readLegacyPrefix(text: string): string {
  if (!/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(text))
    rejectValue('must be a path such as /api/public/v1: a / before every part and none at the end')
  const [first = '', second] = text.slice(1).split('/')
  if (RESERVED_PATHS.includes(first)) rejectValue(`must not begin with /${first}, which is taken`)
  if (first === 'api' && (second === undefined || (endpoints as readonly string[]).includes(second)))
    rejectValue(`must not be ${text}, where the current form answers`)
  return text
}

function readOrigins(text: string): readonly string[] {
  return splitList(text).map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : null
    return url && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')
      ? url.origin
      : rejectValue(`must list origins such as https://bot.example, and ${origin} is none`)
  })
}

const readProxies = (text: string): readonly IpRange[] =>
  splitList(text).map(
    (range) =>
      parseIpRange(range) ??
      rejectValue(`must list addresses or ranges such as 10.0.0.0/8, and ${range} is neither`),
  )

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Calls a minute; 0 is no limit. */
const rate = wire.integer({ min: 0, max: 1_000_000_000 })

/** How many backups stay; 0 is all. */
export const backupCount = wire.integer({ min: 0, max: 10_000 })

/** A shorter one could be guessed: nothing slows the guessing down. */
const MIN_METRICS_TOKEN = 16

function readMetricsToken(text: string): string | null {
  if (text === '') return null
  return text.length >= MIN_METRICS_TOKEN && /^[\x21-\x7e]+$/.test(text)
    ? text
    : rejectValue(`must be at least ${MIN_METRICS_TOKEN} printable ASCII characters without spaces`)
}

/** Units of a length of time, in milliseconds. */
const units: Readonly<Record<string, number>> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** The longest that a timer of the runtime waits. Source: setTimeout, 2^31 - 1 ms. */
const MAX_INTERVAL_DAYS = 24

function readInterval(text: string): number | null {
  if (text === '' || text === 'none') return null
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const interval = Number(count) * (units[unit] ?? 0)
  return interval > 0 && interval <= MAX_INTERVAL_DAYS * DAY_MS
    ? interval
    : rejectValue(`must be a length of time such as 24h, up to ${MAX_INTERVAL_DAYS}d, or none`)
}

/** The password in it is never told: this says what is wrong without the text itself. */
function readDatabaseUrl(text: string): string | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isComplete = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
  return isComplete
    ? text
    : rejectValue(
        'must be the address of a PostgreSQL database, such as postgres://user:password@host:5432/name',
      )
}

const readFolder = (text: string): string =>
  text.includes('\0') ? rejectValue('must be a folder') : resolve(text)

/** Every setting: the one table that flags, environment, help and start read. */
export const settings = {
  host: defineSetting({
    flag: 'host',
    env: 'REEVE_HOST',
    placeholder: '<address>',
    fallback: '127.0.0.1',
    help: 'where to listen; 0.0.0.0 is every network',
    read: readHost,
  }),
  port: defineSetting({
    flag: 'port',
    env: 'REEVE_PORT',
    placeholder: '<number>',
    fallback: '3000',
    help: 'the port to listen on; 0 takes a free one',
    read: readPort,
  }),
  dataDir: defineSetting({
    flag: 'data-dir',
    env: 'REEVE_DATA_DIR',
    placeholder: '<folder>',
    fallback: './data',
    help: 'the folder that holds the database and images',
    read: readFolder,
  }),
  databaseUrl: defineSetting({
    flag: null,
    env: 'REEVE_DATABASE_URL',
    placeholder: '<address>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a PostgreSQL database to keep the data in instead of a folder: postgres://user:password@host/name',
    read: readDatabaseUrl,
  }),
  poolerUrl: defineSetting({
    flag: null,
    env: 'REEVE_DATABASE_POOLER_URL',
    placeholder: '<address>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'the same database by way of a pooler such as PgBouncer, for calls',
    read: readDatabaseUrl,
  }),
  publicUrl: defineSetting({
    flag: 'public-url',
    env: 'REEVE_PUBLIC_URL',
    placeholder: '<address>',
    fallback: '',
    fallbackLabel: 'http://<host>:<port>',
    help: 'where browsers and game servers reach this instance',
    read: readPublicUrl,
  }),
  legacyPrefix: defineSetting({
    flag: 'legacy-prefix',
    env: 'REEVE_LEGACY_PREFIX',
    placeholder: '<path>',
    fallback: '/api/public/v1',
    help: 'the second path under which every endpoint answers',
    read: readLegacyPrefix,
  }),
  corsOrigins: defineSetting({
    flag: 'cors-origins',
    env: 'REEVE_CORS_ORIGINS',
    placeholder: '<list>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'origins, separated by commas, whose pages may call with an API key',
    read: readOrigins,
  }),
  trustedProxies: defineSetting({
    flag: 'trusted-proxies',
    env: 'REEVE_TRUSTED_PROXIES',
    placeholder: '<list>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'addresses or ranges, separated by commas, whose X-Forwarded-For is believed',
    read: readProxies,
  }),
  logLevel: defineSetting({
    flag: 'log-level',
    env: 'REEVE_LOG_LEVEL',
    placeholder: '<level>',
    fallback: 'info',
    help: `how much to log: ${logLevels.join(', ')}`,
    read: wire.oneOf(logLevels).read,
  }),
  keyRatePerMinute: defineSetting({
    flag: 'key-rate-per-minute',
    env: 'REEVE_KEY_RATE_PER_MINUTE',
    placeholder: '<calls>',
    fallback: '600',
    help: 'calls a minute for each API key; 0 is no limit',
    read: rate.read,
  }),
  sessionRatePerMinute: defineSetting({
    flag: 'session-rate-per-minute',
    env: 'REEVE_SESSION_RATE_PER_MINUTE',
    placeholder: '<calls>',
    fallback: '1200',
    help: 'calls a minute for each session; 0 is no limit',
    read: rate.read,
  }),
  backupEvery: defineSetting({
    flag: 'backup-every',
    env: 'REEVE_BACKUP_EVERY',
    placeholder: '<time>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'how often to make a backup, such as 24h or 30m; none is never',
    read: readInterval,
  }),
  backupDir: defineSetting({
    flag: 'backup-dir',
    env: 'REEVE_BACKUP_DIR',
    placeholder: '<folder>',
    fallback: '',
    fallbackLabel: '<data folder>-backups',
    help: 'the folder that backups are put into',
    read: (text): string | null => (text === '' ? null : readFolder(text)),
  }),
  backupKeep: defineSetting({
    flag: 'backup-keep',
    env: 'REEVE_BACKUP_KEEP',
    placeholder: '<number>',
    fallback: '7',
    help: 'how many backups stay, the newest; 0 keeps all',
    read: backupCount.read,
  }),
  ...bucketSettings,
  metricsToken: defineSetting({
    flag: null,
    env: 'REEVE_METRICS_TOKEN',
    placeholder: '<token>',
    fallback: '',
    fallbackLabel: 'none',
    help: 'a bearer token that reads /metrics from elsewhere than this machine',
    read: readMetricsToken,
  }),
}

export type SettingName = keyof typeof settings
/** What the settings say, read. */
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> }

/** The folder that the data lies in; null where it is on a database server. */
export const getDataFolder = ({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): string | null => (databaseUrl === null ? dataDir : null)
