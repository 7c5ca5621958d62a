import { DEFAULT_LIMIT, MAX_LIMIT } from './page.ts'
import { isPermission, type Permission, permissions } from './permission.ts'
import { parseRfc3339 } from './rfc3339.ts'
import { suggest } from './suggest.ts'

/** Why a text was refused, in words that follow the field's name: "must be …". */
export class WireError extends Error {}

/** One field format, both ways. Everything on the wire is a string. */
export interface Codec<T> {
  /** @throws WireError saying what would be accepted */
  readonly read: (text: string) => T
  readonly write: (value: T) => string
  /** For the OpenAPI document. */
  readonly description: string
  readonly example: string
}

const fail = (message: string): never => {
  throw new WireError(message)
}

const MIN_TIME = Date.UTC(1970, 0, 1)
/** The last moment that RFC 3339 can write. */
export const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** A moment: RFC 3339 with an offset, or epoch milliseconds as digits ↔ epoch milliseconds. Written in UTC. */
export const time: Codec<number> = {
  read(text) {
    const timestamp = /^\d{1,15}$/.test(text) ? Number(text) : parseRfc3339(text)
    return timestamp >= MIN_TIME && timestamp <= MAX_TIME
      ? timestamp
      : fail('must be a time such as 2026-03-01T18:00:00Z, with an offset, or epoch milliseconds')
  },
  write: (timestamp) => new Date(timestamp).toISOString(),
  description:
    'RFC 3339 time with an offset, or epoch milliseconds as digits; returned in UTC with milliseconds',
  example: '2026-03-01T18:00:00.000Z',
}

export const writeNullableTime = (timestamp: number | null): string | null =>
  timestamp === null ? null : time.write(timestamp)

/** `true`/`false` (`1`/`0` accepted) ↔ boolean. */
export const boolean: Codec<boolean> = {
  read: (text) =>
    text === 'true' || text === '1'
      ? true
      : text === 'false' || text === '0'
        ? false
        : fail('must be true or false'),
  write: String,
  description: '`true` or `false` (`1` and `0` accepted)',
  example: 'true',
}

/** The longest duration in seconds: 10 000 years of 365.25 days. */
export const MAX_DURATION_SECONDS = 315_576_000_000

/** Whole seconds, or null for without end. */
export const duration: Codec<number | null> = {
  read(text) {
    if (text === '' || text === '-1' || text === 'permanent') return null
    const seconds = /^\d{1,12}$/.test(text) ? Number(text) : 0
    return seconds >= 1 && seconds <= MAX_DURATION_SECONDS
      ? seconds
      : fail(
          `must be whole seconds from 1 to ${MAX_DURATION_SECONDS}, or empty, -1 or permanent for without end`,
        )
  },
  write: (seconds) => (seconds === null ? 'permanent' : String(seconds)),
  description: `Whole seconds, 1 to ${MAX_DURATION_SECONDS}; absent, empty, \`-1\` or \`permanent\` mean without end`,
  example: '86400',
}

/** A change of a duration in whole seconds, either way, never zero. */
export const durationChange: Codec<number> = {
  read(text) {
    const seconds = /^[+-]?\d{1,12}$/.test(text) ? Number(text) : 0
    return seconds !== 0 && Math.abs(seconds) <= MAX_DURATION_SECONDS
      ? seconds
      : fail('must be whole seconds, negative to shorten, and not 0')
  },
  write: String,
  description: 'Whole seconds to add; negative to shorten',
  example: '3600',
}

/** `#rrggbb` in lower case; `#rgb` accepted. */
export const color: Codec<string> = {
  read(text) {
    const hex = text.toLowerCase()
    if (/^#[0-9a-f]{6}$/.test(hex)) return hex
    if (/^#[0-9a-f]{3}$/.test(hex)) return `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`
    return fail('must be a colour such as #3366ff')
  },
  write: (hex) => hex,
  description: 'Colour as `#rrggbb` (`#rgb` accepted), returned in lower case',
  example: '#3366ff',
}

const PLATFORM_ID = /^[A-Za-z0-9_.:-]{1,64}$/

/** A user id of the game platform: opaque. */
export const platformId: Codec<string> = {
  read: (text) => (PLATFORM_ID.test(text) ? text : fail('must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')),
  write: (id) => id,
  description: 'Id on the game platform: 1 to 64 characters of `A-Za-z0-9_.:-`',
  example: '261',
}

/** How many players one ban check may name. */
export const MAX_PLAYERS = 200

/** Up to 200 platform user ids, separated by commas. */
export const platformIds: Codec<readonly string[]> = {
  read(text) {
    if (!text.includes(',')) return [platformId.read(text.trim())]
    const ids = text.split(',').map((id) => id.trim())
    if (ids.length > MAX_PLAYERS) fail(`must name at most ${MAX_PLAYERS} players`)
    return [...new Set(ids.map(platformId.read))]
  },
  write: (ids) => ids.join(','),
  description: `Up to ${MAX_PLAYERS} user ids of the game platform, separated by commas`,
  example: '261,156',
}

/**
 * An id made by the server. Any text of a sane length is read, so that an id that never was and one of another
 * workspace are told alike: not found. Whatever is not a UUID can match no row.
 */
export const id: Codec<string> = {
  read(text) {
    const lower = text.trim().toLowerCase()
    return lower === '' || lower.length > 64 ? fail('must be an id that this service gave out') : lower
  },
  write: (value) => value,
  description: 'Id of a record: a UUIDv7 made by the server',
  example: '0198c0de-0000-7000-8000-000000000001',
}

/** Several ids in the order given, separated by commas; each counts once. */
export function ids(max: number): Codec<readonly string[]> {
  return {
    read(text) {
      const parts = text.split(',').filter((part) => part.trim() !== '')
      const read = [...new Set(parts.map(id.read))]
      return read.length <= max ? read : fail(`must name at most ${max}`)
    },
    write: (list) => list.join(','),
    description: `Up to ${max} ids, separated by commas; empty is none`,
    example: id.example,
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be refused; tab and newline may stand
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** How a text is normalised: NFC, `\n` for line ends, no white space around it. @throws WireError */
function normalizeText(text: string): string {
  if (!text.isWellFormed()) fail('must be well-formed Unicode: it holds a lone surrogate')
  const unified = text.replace(/\r\n?/g, '\n')
  if (CONTROL.test(unified)) fail('must not hold control characters other than newline and tab')
  return unified.normalize('NFC').trim()
}

/** Text for people. `min` and `max` count characters as people do (code points), after trimming. */
export function text(limits: {
  min?: number
  max: number
  multiline?: boolean
  example?: string
}): Codec<string> {
  const { min = 0, max, multiline = false } = limits
  const bounds = min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`
  return {
    read(raw) {
      const value = normalizeText(raw)
      if (!multiline && /[\n\t\u2028\u2029]/.test(value)) fail('must be a single line')
      const length = value.length <= max ? value.length : [...value].length
      return length < min || length > max ? fail(`must be ${bounds}`) : value
    },
    write: (value) => value,
    description: `Text, ${bounds}${multiline ? '' : ', on one line'}`,
    example: limits.example ?? 'Exploiting',
  }
}

/** One of a fixed list of words. `synonyms` are accepted and read as what they mean. */
export function oneOf<const T extends string>(
  values: readonly T[],
  synonyms: Readonly<Record<string, T>> = {},
): Codec<T> {
  const accepted = [...values, ...Object.keys(synonyms)]
  return {
    read(raw) {
      if ((values as readonly string[]).includes(raw)) return raw as T
      if (Object.hasOwn(synonyms, raw)) return synonyms[raw] as T
      const suggestion = suggest(raw, accepted)
      return fail(`must be one of ${values.join(', ')}${suggestion ? `; did you mean ${suggestion}?` : ''}`)
    },
    write: (value) => value,
    description: `One of ${values.map((value) => `\`${value}\``).join(', ')}`,
    example: values[0] as string,
  }
}

const MAX_URL_LENGTH = 2000
/** What `URL` would silently drop or turn into something else may not stand in an address. */
const HTTPS_URL = /^https:\/\/[^\s\\\p{Cc}]+$/iu

/** An https address, at most 2000 characters as it is written. */
export const httpsUrl: Codec<string> = {
  read(raw) {
    const value = raw.trim()
    const matchesPattern = value.length <= MAX_URL_LENGTH && HTTPS_URL.test(value) && value.isWellFormed()
    const url = matchesPattern && URL.canParse(value) ? new URL(value) : null
    return url && !url.username && !url.password && url.href.length <= MAX_URL_LENGTH
      ? url.href
      : fail(`must be an https address without a user name or spaces, at most ${MAX_URL_LENGTH} characters`)
  },
  write: (value) => value,
  description: `https address, at most ${MAX_URL_LENGTH} characters`,
  example: 'https://example.com/picture.png',
}

/** A permission set: a JSON array of names, or names separated by commas; empty is none. Kept in catalogue order. */
export const permissionSet: Codec<readonly Permission[]> = {
  read(raw) {
    const names = raw.trimStart().startsWith('[')
      ? parseNames(raw)
      : raw.split(',').map((name) => name.trim())
    const nonEmpty = names.filter((name) => name !== '')
    const unknown = nonEmpty.filter((name) => !isPermission(name))
    if (unknown.length > 0)
      fail(
        `names unknown permissions: ${unknown
          .slice(0, 20)
          .map((n) => n.slice(0, 64))
          .join(', ')}`,
      )
    return permissions.filter((permission) => nonEmpty.includes(permission))
  },
  write: (set) => JSON.stringify(set),
  description: 'JSON array of permission names, or names separated by commas; empty is none',
  example: '["moderation.view","moderation.ban"]',
}

function parseNames(raw: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    fail('must be a JSON array of permission names, or names separated by commas')
  }
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? value
    : fail('must be a JSON array of permission names, or names separated by commas')
}

/** A whole number within bounds, in digits. */
export function integer(limits: { min: number; max: number; example?: string }): Codec<number> {
  const { min, max } = limits
  const bounds = `${min} to ${max}`
  return {
    read(raw) {
      const value = /^\d{1,16}$/.test(raw) ? Number(raw) : Number.NaN
      return value >= min && value <= max ? value : fail(`must be a whole number from ${bounds}`)
    },
    write: String,
    description: `Whole number from ${bounds}`,
    example: limits.example ?? String(min),
  }
}

/** How many rows a page holds. */
export const limit: Codec<number> = {
  read(raw) {
    const count = /^\d{1,3}$/.test(raw) ? Number(raw) : 0
    return count >= 1 && count <= MAX_LIMIT ? count : fail(`must be a whole number from 1 to ${MAX_LIMIT}`)
  },
  write: String,
  description: `How many to return: 1 to ${MAX_LIMIT}, ${DEFAULT_LIMIT} by default`,
  example: '50',
}

/** Room for the longest folded name: 100 characters that grow to 18 of three bytes each, in JSON and base64. */
const CURSOR = /^[A-Za-z0-9_-]{1,8192}$/

/** An opaque cursor; what it holds is read where the list is known. */
export const cursor: Codec<string> = {
  read: (raw) => (CURSOR.test(raw) ? raw : fail('must be a nextCursor of this same list, unchanged')),
  write: (value) => value,
  description: '`nextCursor` of the page before',
  example: 'WyJyZWNvcmRzIiw0MF0',
}
