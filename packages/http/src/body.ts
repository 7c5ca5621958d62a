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
}

export const EMPTY_BODY: JsonBody = { fields: {} }

/**
 * Reads the request body as one JSON object.
 * @param limit bytes; a larger body is rejected as soon as that is known, without reading the rest
 * @throws AppError `payload_too_large`, `unsupported_media_type`, `invalid_json`
 */
export async function readJsonBody(request: Request, limit: number): Promise<JsonBody> {
  const contentLength = request.headers.get('content-length')
  if (contentLength !== null && Number(contentLength) > limit) throw payloadTooLarge(limit)
  const contentType = request.headers.get('content-type')
  if (request.body === null || contentLength === '0') return EMPTY_BODY
  const bytes = contentLength === null ? await readUpTo(request, limit) : await readAll(request)
  if (bytes.length === 0) return EMPTY_BODY
  if (!isJson(contentType)) throw new AppError('unsupported_media_type')
  return parseJsonObject(bytes)
}

const payloadTooLarge = (limit: number) =>
  new AppError('payload_too_large', {
    message: `The request body exceeds the limit of ${limit} bytes for this endpoint.`,
  })

const isJson = (contentType: string | null): boolean =>
  contentType !== null && /^application\/json\s*(;|$)/i.test(contentType)

async function readAll(request: Request): Promise<Uint8Array> {
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch {
    throw new AppError('invalid_json', { message: 'The request body is incomplete.' })
  }
}

/** Reads a body without `Content-Length` in chunks, and stops at the limit. */
async function readUpTo(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > limit) throw payloadTooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJsonObject(bytes: Uint8Array): JsonBody {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new AppError('invalid_json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('invalid_json')
  assertUniqueNames(text, value)
  return { fields: toStringValues(value as RawFields) }
}

/** `JSON.parse` silently drops the first of two equal names; this rejects them. */
function assertUniqueNames(text: string, value: object): void {
  // A nested object adds colons to the count; it is rejected as the value of its field.
  const hasNested = Object.values(value).some(isNested)
  if (!hasNested && countMembers(text) !== Object.keys(value).length) {
    throw new AppError('invalid_json', { message: 'The request body contains the same name twice.' })
  }
}

/** Counts the colons outside strings in valid JSON. A regular expression fails on strings of several megabytes. */
function countMembers(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const openingQuote = text.indexOf('"', index)
    const end = openingQuote < 0 ? text.length : openingQuote
    for (; index < end; index++) if (text.charCodeAt(index) === 58) count += 1
    if (openingQuote >= 0) index = findClosingQuote(text, openingQuote)
  }
  return count
}

/** The index of the quote that closes a string: the next one after an even number of backslashes. */
function findClosingQuote(text: string, openingQuote: number): number {
  let quote = openingQuote
  let isEscaped = true
  while (isEscaped) {
    quote = text.indexOf('"', quote + 1)
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
