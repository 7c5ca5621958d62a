import { HIGHEST_ID, isUuid, LOWEST_ID } from '@reeve/core'
import { decodeCompactJson, encodeCompactJson } from './compact-json.ts'
import type { ColumnType } from './tables/column.ts'

/** The types of columns whose texts are stored otherwise. */
export type TextEncodedType = Extract<ColumnType, 'id' | 'id_or_text' | 'hash' | 'compact_json' | 'word'>

/** The types of columns whose texts are stored as the same bytes on every engine. */
export type BytesType = Exclude<TextEncodedType, 'id' | 'word'>

/** The types of columns whose values an engine may store otherwise. */
export type EncodedType = TextEncodedType | 'int32'

/** Whether a value is stored, or only compared with stored ones. */
export type ValueUsage = 'store' | 'compare'

/** How an engine stores the values of encoded columns. */
export interface ColumnEncoding {
  /** @throws TypeError for a text that the column cannot store */
  readonly encode: (type: TextEncodedType, text: string, usage: ValueUsage) => unknown
  /** A list parameter. Texts that the column cannot contain match nothing. */
  readonly encodeList: (type: TextEncodedType, texts: readonly string[]) => unknown
  /** Reads the values of one column of a result. */
  readonly createDecoder: (type: TextEncodedType) => (value: unknown) => string
  /** A number that is compared with numbers of 32 bits. */
  readonly encodeInt32: (value: number) => number
  /** The SQL that compares a column with a list parameter, in place of that for other types. */
  readonly toListSql: (sql: string) => string
  /** SQL fragments around an `id_or_text` column that is compared with an `id` column; null where both are stored alike. */
  readonly toIdSql: readonly [string, string, string] | null
}

export const isTextEncodedType = (type: ColumnType): type is TextEncodedType =>
  type !== 'text' && type !== 'integer' && type !== 'int32' && type !== 'blob'

export const isEncodedType = (type: ColumnType): type is EncodedType =>
  type === 'int32' || isTextEncodedType(type)

/**
 * What an `id` column contains instead of a UUID: nothing, where a row belongs to no workspace, and the name of the audit log of the
 * instance. They are stored as UUIDs that are never created.
 */
const NAMED_IDS: ReadonlyMap<string, string> = new Map([
  ['', LOWEST_ID],
  ['instance', '00000000-0000-0000-0000-000000000001'],
])
const NAMES_BY_ID: ReadonlyMap<string, string> = new Map([...NAMED_IDS].map(([name, id]) => [id, name]))
const NAMED_ID_PREFIX = LOWEST_ID.slice(0, -1)

/**
 * The UUID by which an `id` column stores a text. A text that it cannot contain is compared like one that no row has.
 * @throws TypeError where such a text would be stored
 */
export function toStoredId(text: string, usage: ValueUsage): string {
  if (isUuid(text)) return text
  const named = NAMED_IDS.get(text)
  if (named !== undefined) return named
  if (usage === 'store') throw new TypeError(`not an id: ${text}`)
  // Lists are read in the order of ids, so a text below or above all of them stays there.
  return text < '0' ? LOWEST_ID : HIGHEST_ID
}

/** The reverse of `toStoredId`. */
export const fromStoredId = (id: string): string =>
  id.startsWith(NAMED_ID_PREFIX) ? (NAMES_BY_ID.get(id) ?? id) : id

const ID_BYTES = 16
const HASH_BYTES = 32
const HASH = /^[0-9a-f]{64}$/

/** Precedes the bytes of a text among those of UUIDs or hashes. No text in UTF-8 contains this byte. */
const TEXT_MARK = 0xff

/** The position of each byte in a UUID. */
const POSITIONS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const
const DIGITS = new Uint8Array(128)
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit

/** The bytes of a UUID. Not `Uint8Array.fromHex`, which takes three times as long with the hyphens. */
export function uuidToBytes(uuid: string): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES)
  for (let index = 0; index < ID_BYTES; index++) {
    const position = POSITIONS[index] as number
    bytes[index] =
      ((DIGITS[uuid.charCodeAt(position)] as number) << 4) | (DIGITS[uuid.charCodeAt(position + 1)] as number)
  }
  return bytes
}

/** The digits of each byte. */
const HIGH_DIGITS = new Uint8Array(256)
const LOW_DIGITS = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const hex = byte.toString(16).padStart(2, '0')
  HIGH_DIGITS[byte] = hex.charCodeAt(0)
  LOW_DIGITS[byte] = hex.charCodeAt(1)
}
const uuidBuffer = Buffer.alloc(36, '-')

/** The UUID with these bytes. Joining the parts of `toHex` takes twice as long, and longer again when the text is written. */
export function bytesToUuid(bytes: Uint8Array): string {
  for (let index = 0; index < ID_BYTES; index++) {
    const position = POSITIONS[index] as number
    const byte = bytes[index] as number
    uuidBuffer[position] = HIGH_DIGITS[byte] as number
    uuidBuffer[position + 1] = LOW_DIGITS[byte] as number
  }
  return uuidBuffer.toString('latin1')
}

/** Reads values of one column. In most results the next one is the same: the workspace, or who did something. */
export function createCachedReader(read: (bytes: Uint8Array) => string): (bytes: Uint8Array) => string {
  let lastBytes: Uint8Array | null = null
  let lastText = ''
  return (bytes) => {
    if (lastBytes !== null && hasSameBytes(bytes, lastBytes)) return lastText
    lastText = read(bytes)
    lastBytes = bytes
    return lastText
  }
}

/** Ids that were created at about the same time differ at the end. */
function hasSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let index = one.length - 1; index >= 0; index--) if (one[index] !== other[index]) return false
  return true
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The bytes of a text that differ from `valueLength` bytes of any other value. */
function textToBytes(text: string, valueLength: number): Uint8Array {
  const encoded = encoder.encode(text)
  const marks = encoded.length + 1 === valueLength ? 2 : 1
  const bytes = new Uint8Array(marks + encoded.length).fill(TEXT_MARK, 0, marks)
  bytes.set(encoded, marks)
  return bytes
}

const bytesToText = (bytes: Uint8Array): string =>
  decoder.decode(bytes.subarray(bytes[1] === TEXT_MARK ? 2 : 1))

/** The bytes by which an `id_or_text`, `hash` or `compact_json` column stores a text. Every text has its own. */
export function toBytes(type: BytesType, text: string): Uint8Array {
  if (type === 'compact_json') return encodeCompactJson(text)
  if (type === 'id_or_text') return isUuid(text) ? uuidToBytes(text) : textToBytes(text, ID_BYTES)
  return HASH.test(text) ? Uint8Array.fromHex(text) : textToBytes(text, HASH_BYTES)
}

/** Reads the values of a column that `toBytes` stored. */
export function createBytesDecoder(type: BytesType): (value: unknown) => string {
  if (type === 'compact_json') return (value) => decodeCompactJson(value as Uint8Array)
  const readIdOrText = createCachedReader((bytes) =>
    bytes.length === ID_BYTES ? bytesToUuid(bytes) : bytesToText(bytes),
  )
  if (type === 'id_or_text') return (value) => readIdOrText(value as Uint8Array)
  return (value) => {
    const bytes = value as Uint8Array
    return bytes.length === HASH_BYTES ? bytes.toHex() : bytesToText(bytes)
  }
}
