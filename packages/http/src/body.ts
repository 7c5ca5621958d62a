import { AppError } from '@reeve/core'

/** Maximum size of a request body in bytes, unless the route has its own limit. */
export const BODY_LIMIT = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export type RawFields = Readonly<Record<string, unknown>>

export interface JsonBody {
  /**
   * The members of the object: numbers and booleans as strings, arrays of strings and other scalars as sent, any other
   * nested value as an empty object.
   */
  readonly fields: RawFields
  /** Its size as it was received. */
  readonly size: number
}

/** Parses a received body by its media type. */
export type ParseBody = (bytes: Uint8Array, contentType: string | null) => JsonBody

export const EMPTY_BODY: JsonBody = { fields: {}, size: 0 }

/** Maximum number of members in a body: more than twice as many as any route has fields. */
export const MAX_MEMBERS = 64

/** Maximum number of commas outside strings: those between members, and between the items of lists. */
const MAX_SEPARATORS = 1000

/**
 * Parses a received body as one JSON object.
 * @throws AppError `unsupported_media_type`, `invalid_json`
 */
export function parseJsonBody(bytes: Uint8Array, contentType: string | null): JsonBody {
  if (bytes.length === 0) return EMPTY_BODY
  if (!isJson(contentType)) throw new AppError('unsupported_media_type')
  return parseJsonObject(bytes)
}

const isJson = (contentType: string | null): boolean =>
  contentType !== null && /^application\/json\s*(;|$)/i.test(contentType)

function parseJsonObject(bytes: Uint8Array): JsonBody {
  const text = decodeText(bytes)
  let value: unknown
  let memberCount: number
  try {
    memberCount = countMembers(text)
    value = JSON.parse(text)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('invalid_json')
  assertUniqueNames(text, memberCount, value)
  return { fields: toStringValues(value as RawFields), size: bytes.length }
}

/** Decodes a body. Its errors say what senders cannot see in their own text: its encoding, and a byte order mark. */
function decodeText(bytes: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new AppError('invalid_json', {
      message: 'The request body is not valid UTF-8; send JSON in UTF-8.',
    })
  }
  if (text.startsWith('\ufeff')) {
    throw new AppError('invalid_json', {
      message: 'The request body begins with a byte order mark; send UTF-8 without it.',
    })
  }
  return text
}

/** `JSON.parse` silently drops the first of two equal names; this rejects them. */
function assertUniqueNames(text: string, memberCount: number, value: object): void {
  // A nested object adds colons to the count; it is rejected as the value of its field.
  const hasNested = Object.values(value).some(isNested)
  if (!hasNested && memberCount !== Object.keys(value).length) {
    const name = JSON.stringify(findRepeatedName(text).slice(0, 128))
    throw new AppError('invalid_json', { message: `The request body contains the name ${name} twice.` })
  }
}

/** The first name that occurs twice in valid JSON without nested objects: a string before a colon is a name. */
function findRepeatedName(text: string): string {
  const colon = /\s*:/y
  const names = new Set<string>()
  let openingQuote = text.indexOf('"')
  while (openingQuote >= 0) {
    const afterString = findClosingQuote(text, openingQuote) + 1
    colon.lastIndex = afterString
    if (colon.test(text)) {
      const name = JSON.parse(text.slice(openingQuote, afterString)) as string
      if (names.has(name)) return name
      names.add(name)
    }
    openingQuote = text.indexOf('"', afterString)
  }
  throw new Error('No name of the text occurs twice')
}

const COLON = 58
const COMMA = 44

/**
 * Counts the members, which are the colons outside strings in valid JSON. It runs before the text is parsed, because
 * parsing hundreds of thousands of members takes longer than parsing the largest image. A regular expression fails on
 * strings of several megabytes.
 * @throws AppError `invalid_json` as soon as there are too many members or list items
 */
function countMembers(text: string): number {
  let members = 0
  let separators = 0
  for (let index = 0; index < text.length; index++) {
    const openingQuote = text.indexOf('"', index)
    const end = openingQuote < 0 ? text.length : openingQuote
    for (; index < end; index++) {
      const code = text.charCodeAt(index)
      if (code === COLON && ++members > MAX_MEMBERS) throw tooMany(`${MAX_MEMBERS} members`)
      if (code === COMMA && ++separators > MAX_SEPARATORS) throw tooMany(`${MAX_SEPARATORS} list items`)
    }
    if (openingQuote >= 0) index = findClosingQuote(text, openingQuote)
  }
  return members
}

const tooMany = (limit: string): AppError =>
  new AppError('invalid_json', { message: `The request body has more than ${limit}.` })

/**
 * The index of the quote that closes a string: the next one after an even number of backslashes. The end of the text if
 * the string is not closed.
 */
function findClosingQuote(text: string, openingQuote: number): number {
  let quote = openingQuote
  let isEscaped = true
  while (isEscaped) {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) return text.length
    isEscaped = false
    for (let before = quote - 1; text.charCodeAt(before) === 92; before--) isEscaped = !isEscaped
  }
  return quote
}

/** Whether a value is an object or an array of anything but strings. */
const isNested = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !(Array.isArray(value) && value.every((item) => typeof item === 'string'))

/**
 * Converts numbers and booleans, which game scripts send, to strings. No field is an object or an array of anything but
 * strings, so these become an empty object: their content could be nested deep enough to overflow the stack.
 */
function toStringValues(fields: RawFields): RawFields {
  const result: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    const isScalar = typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value))
    result[name] = isScalar ? String(value) : isNested(value) ? {} : value
  }
  return result
}
