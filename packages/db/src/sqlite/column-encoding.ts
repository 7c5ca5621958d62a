import {
  bytesToUuid,
  type ColumnEncoding,
  createBytesDecoder,
  createCachedReader,
  fromStoredId,
  type TextEncodedType,
  toBytes,
  toStoredId,
  uuidToBytes,
  type ValueUsage,
} from '../column-encoding.ts'
import { decodeWord, encodeWord } from '../words.ts'

function encode(type: TextEncodedType, text: string, usage: ValueUsage): Uint8Array | string {
  if (type === 'word') return encodeWord(text)
  return type === 'id' ? uuidToBytes(toStoredId(text, usage)) : toBytes(type, text)
}

/** An item of a list parameter: JSON has no bytes. */
function toJsonText(type: TextEncodedType, text: string): string {
  if (type === 'id') return toStoredId(text, 'compare').replaceAll('-', '')
  const value = encode(type, text, 'compare')
  return typeof value === 'string' ? value : value.toHex()
}

/** SQLite stores words as text, and every other encoded text as a blob. */
export const sqliteEncoding: ColumnEncoding = {
  encode,
  encodeList: (type, texts) => JSON.stringify(texts.map((text) => toJsonText(type, text))),
  createDecoder(type) {
    if (type === 'word') return (value) => decodeWord(value as string)
    if (type !== 'id') return createBytesDecoder(type)
    const readId = createCachedReader((bytes) => fromStoredId(bytesToUuid(bytes)))
    return (value) => readId(value as Uint8Array)
  },
  encodeInt32: (value) => value,
  toListSql: (sql) => sql.replace('select value from', 'select unhex(value) from'),
  toIdSql: null,
}
