import { DEFAULT_LIMIT, MAX_LIMIT } from './page.ts'
import { isPermission, type Permission, permissions } from './permission-catalog.ts'
import { suggest } from './suggest.ts'
import { hasInvisibleCharacters, INVISIBLE_NAME_MESSAGE } from './visible-name.ts'
import { type Codec, fail } from './wire-codec.ts'

export { readObjectList } from './object-list.ts'
export * from './platforms/codecs.ts'
export { type Codec, WireError } from './wire-codec.ts'
export * from './wire-time.ts'

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

/** `#rrggbb` in lower case; `#rgb` accepted. */
export const color: Codec<string> = {
  read(text) {
    const hex = text.toLowerCase()
    if (/^#[0-9a-f]{6}$/.test(hex)) return hex
    if (/^#[0-9a-f]{3}$/.test(hex)) return `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`
    return fail('must be a color such as #3366ff')
  },
  write: (hex) => hex,
  description: 'Color as `#rrggbb` (`#rgb` accepted), returned in lower case',
  example: '#3366ff',
}

const PLATFORM_ID = /^[A-Za-z0-9_.:-]{1,64}$/

/** An opaque id of the game platform that is not one of a player: of an experience or a place. */
export const platformId: Codec<string> = {
  read: (text) => (PLATFORM_ID.test(text) ? text : fail('must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')),
  write: (id) => id,
  description: 'Id on the game platform: 1 to 64 characters of `A-Za-z0-9_.:-`',
  example: '261',
}

/**
 * An id that the server created. Any text of up to 64 characters is accepted, so that an unknown id and one of another
 * workspace get the same response: not found. A text that is not a UUID matches no row.
 */
export const id: Codec<string> = {
  read(text) {
    const lower = text.trim().toLowerCase()
    return lower === '' || lower.length > 64 ? fail('must be an id issued by this service') : lower
  },
  write: (value) => value,
  description: 'A UUIDv7 issued by this service',
  example: '0198c0de-0000-7000-8000-000000000001',
}

/** Comma-separated ids, in their order and without duplicates. */
export function ids(max: number): Codec<readonly string[]> {
  return {
    read(text) {
      const parts = text.split(',').filter((part) => part.trim() !== '')
      const unique = [...new Set(parts.map(id.read))]
      return unique.length <= max ? unique : fail(`must list at most ${max} ids`)
    },
    write: (list) => list.join(','),
    description: `Up to ${max} ids, separated by commas; empty for none`,
    example: id.example,
  }
}

/** Control characters other than newline and tab, which no text of Reeve contains. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to reject
export const CONTROL_CHARACTER = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Normalizes a text: NFC, `\n` as line break, trimmed. @throws WireError */
function normalizeText(text: string): string {
  if (!text.isWellFormed()) fail('must be well-formed Unicode without lone surrogates')
  const unified = text.replace(/\r\n?/g, '\n')
  if (CONTROL_CHARACTER.test(unified)) fail('must not contain control characters other than newline and tab')
  return unified.normalize('NFC').trim()
}

/** Anything but spaces, and characters that take up no space or show nothing, such as U+200B, U+3164 and U+2800. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u

/** Free text that is empty or has a visible character. `min` and `max` count code points, after trimming. */
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
      if (value !== '' && !VISIBLE.test(value)) fail('must contain a visible character')
      const length = value.length <= max ? value.length : [...value].length
      return length < min || length > max ? fail(`must be ${bounds}`) : value
    },
    write: (value) => value,
    description: `Text, ${bounds}${multiline ? '' : ', on one line'}`,
    example: limits.example ?? 'Exploiting',
  }
}

/** A name on one line, without invisible characters. Its limits are those of `text`. */
export function name(limits: { min?: number; max: number; example?: string }): Codec<string> {
  const codec = text(limits)
  return {
    ...codec,
    read(raw) {
      const value = codec.read(raw)
      return hasInvisibleCharacters(value) ? fail(INVISIBLE_NAME_MESSAGE) : value
    },
  }
}

/** One of a fixed list of values. `synonyms` are accepted and parsed as the value they map to. */
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
    values,
    description: `One of ${values.map((value) => `\`${value}\``).join(', ')}`,
    example: values[0] as string,
  }
}

/** The maximum length of a URL, in characters. */
export const MAX_URL_LENGTH = 2000
/** Excludes characters that `URL` silently drops or replaces. */
const HTTPS_URL = /^https:\/\/[^\s\\\p{Cc}]+$/iu

/** An https URL of at most `MAX_URL_LENGTH` characters. */
export const httpsUrl: Codec<string> = {
  read(raw) {
    const value = raw.trim()
    const matchesPattern = value.length <= MAX_URL_LENGTH && HTTPS_URL.test(value) && value.isWellFormed()
    const url = matchesPattern && URL.canParse(value) ? new URL(value) : null
    return url && !url.username && !url.password && url.href.length <= MAX_URL_LENGTH
      ? url.href
      : fail(`must be an https URL without credentials or spaces, at most ${MAX_URL_LENGTH} characters`)
  },
  write: (value) => value,
  description: `https URL, at most ${MAX_URL_LENGTH} characters`,
  example: 'https://example.com/picture.png',
}

/** A set of permissions: a JSON array of names, or comma-separated names. Parsed in the order of the catalog. */
export const permissionSet: Codec<readonly Permission[]> = {
  read: (raw) =>
    toPermissions(
      raw.trimStart().startsWith('[')
        ? (parseTextArray(raw) ?? fail('must be a JSON array of permission names, or comma-separated names'))
        : raw.split(',').map((name) => name.trim()),
    ),
  readList: toPermissions,
  write: (set) => JSON.stringify(set),
  description:
    'JSON array of permission names, as a string or as an array, or comma-separated names; empty for none',
  example: '["moderation.view","moderation.ban"]',
}

function toPermissions(names: readonly string[]): readonly Permission[] {
  const nonEmpty = names.filter((name) => name !== '')
  const unknown = nonEmpty.filter((name) => !isPermission(name))
  if (unknown.length > 0)
    fail(
      `names unknown permissions: ${unknown
        .slice(0, 20)
        .map((name) => name.slice(0, 64))
        .join(', ')}`,
    )
  return permissions.filter((permission) => nonEmpty.includes(permission))
}

/** The texts of a JSON array; null if a text is not a JSON array of texts. */
export function parseTextArray(raw: string): string[] | null {
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null
  } catch {
    return null
  }
}

/** A whole number within bounds. */
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

/** The number of rows per page. */
export const limit: Codec<number> = {
  read(raw) {
    const count = /^\d{1,3}$/.test(raw) ? Number(raw) : 0
    return count >= 1 && count <= MAX_LIMIT ? count : fail(`must be a whole number from 1 to ${MAX_LIMIT}`)
  },
  write: String,
  description: `Maximum number to return: 1 to ${MAX_LIMIT}, ${DEFAULT_LIMIT} by default`,
  example: '50',
}

/** Fits the longest normalized name: 100 characters, of which each can grow to 18 of three bytes, in JSON and base64. */
const CURSOR = /^[A-Za-z0-9_-]{1,8192}$/

/** An opaque cursor, decoded by the list that it belongs to. */
export const cursor: Codec<string> = {
  read: (raw) =>
    CURSOR.test(raw) ? raw : fail('must be an unmodified nextCursor of the same list with the same filters'),
  write: (value) => value,
  description: '`nextCursor` of the previous page, which had the same filters',
  example: 'WyJyZWNvcmRzIiw0MF0',
}
