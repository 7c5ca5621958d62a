import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseIpRange, type TrustedProxies } from '@reeve/auth'
import { DAY_MS, HOUR_MS, MINUTE_MS, publicPaths, wire } from '@reeve/core'
import { SECRET_KEY_BYTES } from '@reeve/core/keys'
import { pagePaths } from '@reeve/portal/paths'
import { decodeKey } from './backups/encryption/key-file.ts'
import { rejectValue } from './setting.ts'

// The formats of settings. Each function throws an error that says what the value must be.

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host)
    ? host
    : rejectValue('must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0')
}

export const readHosts = (text: string): readonly string[] =>
  splitList(text).map((name) =>
    /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(name) && isIP(name) === 0
      ? name
      : rejectValue(
          `must list host names without a port, such as reeve.internal; ${name} is not one (IP addresses are always accepted)`,
        ),
  )

export function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  // Kubernetes sets <SERVICE>_PORT in every pod of a namespace with a service of that name.
  const hint = text.startsWith('tcp://')
    ? ' (Kubernetes sets this variable for a service named reeve; set enableServiceLinks: false in the pod)'
    : ''
  return rejectValue(`must be a whole number from 0 to 65535${hint}`)
}

/** @returns null if the text is empty */
export function readListenAddress(text: string): { readonly host: string; readonly port: number } | null {
  if (text === '') return null
  const [, ipv6, name = '', port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  if (port === '' || Number(port) > 65_535 || (ipv6 !== undefined && isIP(ipv6) !== 6))
    return rejectValue(
      'must be an IP address or a host name, and a port, such as 127.0.0.1:9464 or [::1]:9464',
    )
  return { host: readHost(ipv6 ?? name), port: Number(port) }
}

/** The longest path of a Unix socket that every supported system allows. Source: sun_path in unix(7), without the NUL. */
export const MAX_SOCKET_PATH_BYTES = 103

export function readSocketPath(text: string): string | null {
  if (text === '') return null
  const path = /^unix:(?:\/\/)?(\/[^\0]*[^\0/])$/.exec(text)?.[1]
  if (path === undefined)
    return rejectValue('must be unix: and an absolute path, such as unix:/run/reeve/reeve.sock')
  return Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES
    ? rejectValue(`must not be longer than ${MAX_SOCKET_PATH_BYTES} bytes: the path of a socket is limited`)
    : path
}

/** The owner must have access, or nobody could connect. */
export const readFileMode = (text: string): number =>
  /^0?[67][0-7]{2}$/.test(text)
    ? Number.parseInt(text, 8)
    : rejectValue('must be an octal file mode that gives the owner access, such as 660 or 666')

export function readPublicUrl(text: string): URL | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isValid = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  return isValid && !url.username && !url.password
    ? url
    : rejectValue('must be an http or https URL without a path, such as https://reeve.example')
}

/** The error does not repeat the URL, because it can contain a token. */
export function readWebhookUrl(text: string): string | null {
  if (text === '') return null
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? text
    : rejectValue('must be an http or https URL, such as https://anchors.example/reeve')
}

/** @returns the contact as a URL; null if the text is empty */
export function readContact(text: string): string | null {
  if (text === '') return null
  if (/^(mailto:)?[^\s@:/]+@[a-z0-9.-]+$/i.test(text)) return `mailto:${text.replace(/^mailto:/i, '')}`
  return URL.canParse(text) && new URL(text).protocol === 'https:'
    ? new URL(text).href
    : rejectValue('must be an e-mail address or an https URL, such as security@example.com')
}

/** First path segments of the routes that have no prefix. */
const RESERVED_PATHS: ReadonlySet<string | undefined> = new Set([
  ...[
    'portal',
    'admin',
    'media',
    'appeal',
    'clients',
    'docs',
    'openapi.json',
    'healthz',
    'readyz',
    'metrics',
  ],
  ...pagePaths.map((path) => path.split('/')[1]),
])

export function readLegacyPrefix(text: string): string {
  if (!/^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(text))
    rejectValue('must be a path such as /api/public/v1: a / before every segment and none at the end')
  const [first = '', second] = text.slice(1).split('/')
  if (RESERVED_PATHS.has(first)) rejectValue(`must not begin with /${first}, which is reserved`)
  if (first === 'api' && (second === undefined || publicPaths.includes(second)))
    rejectValue(`must not be ${text}, which is a path of the current API`)
  return text
}

export function readOrigins(text: string): readonly string[] {
  return splitList(text).map((origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : null
    return url && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '')
      ? url.origin
      : rejectValue(`must list origins such as https://bot.example; ${origin} is not an origin`)
  })
}

/** More proxies than this in a row are a mistake. */
const MAX_PROXY_HOPS = 9

export function readProxies(text: string): TrustedProxies {
  if (/^\d+$/.test(text)) {
    const hops = Number(text)
    return hops >= 1 && hops <= MAX_PROXY_HOPS
      ? hops
      : rejectValue(`must be a number of proxies from 1 to ${MAX_PROXY_HOPS}, or a list of IP addresses`)
  }
  return splitList(text).map(
    (range) =>
      parseIpRange(range) ??
      rejectValue(
        `must list IP addresses or ranges such as 10.0.0.7, or be a number of proxies; ${range} is neither`,
      ),
  )
}

export const yesOrNo = wire.oneOf(['yes', 'no'])

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Requests per minute; 0 means no limit. */
export const rate = wire.integer({ min: 0, max: 1_000_000_000 })

/** How many workspaces an account may own; 0 means no limit. */
export const workspaceCount = wire.integer({ min: 0, max: 1_000_000 })

/** How many jobs a workspace may start in 24 hours; 0 means no limit. */
export const jobCount = wire.integer({ min: 0, max: 1_000_000 })

/** How many backups to keep; 0 keeps all. */
export const backupCount = wire.integer({ min: 0, max: 10_000 })

/** Attempts are not rate limited, so a shorter token could be guessed. */
const MIN_METRICS_TOKEN = 16

export function readMetricsToken(text: string): string | null {
  if (text === '') return null
  return text.length >= MIN_METRICS_TOKEN && /^[\x21-\x7e]+$/.test(text)
    ? text
    : rejectValue(`must be at least ${MIN_METRICS_TOKEN} printable ASCII characters without spaces`)
}

/** Units of a duration, in milliseconds. */
const units: Readonly<Record<string, number>> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** The longest delay of a timer. Source: setTimeout, 2^31 - 1 ms. */
const MAX_INTERVAL_DAYS = 24

export function readInterval(text: string): number | null {
  if (text === '' || text === 'none') return null
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const interval = Number(count) * (units[unit] ?? 0)
  return interval > 0 && interval <= MAX_INTERVAL_DAYS * DAY_MS
    ? interval
    : rejectValue(`must be a duration such as 24h, up to ${MAX_INTERVAL_DAYS}d, or none`)
}

/** The error does not repeat the URL, because it contains a password. */
export function readDatabaseUrl(text: string): string | null {
  if (text === '') return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isComplete = url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
  return isComplete
    ? text
    : rejectValue('must be the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name')
}

/** The error does not repeat the text. */
export function readSecretKey(text: string): Uint8Array | null {
  if (text === '') return null
  const key = decodeKey(text)
  return key.length === SECRET_KEY_BYTES
    ? key
    : rejectValue(
        `must be the base64 of ${SECRET_KEY_BYTES} random bytes. Create one with: openssl rand -base64 32`,
      )
}

export const readPath = (text: string): string => resolve(text)
