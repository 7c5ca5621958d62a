import {
  type ColumnEncoding,
  createBytesDecoder,
  fromStoredId,
  type TextEncodedType,
  toBytes,
  toStoredId,
  type ValueUsage,
} from '../column-encoding.ts'
import { decodeWord, encodeWord } from '../words.ts'

const MAX_INT32 = 2 ** 31 - 1

/** PostgreSQL text cannot contain U+0000. Stored text never does, so a search for it finds nothing with the replacement. */
export const replaceNul = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text

function encode(type: TextEncodedType, text: string, usage: ValueUsage): string | Buffer {
  if (type === 'word') return encodeWord(replaceNul(text))
  return type === 'id' ? toStoredId(text, usage) : Buffer.from(toBytes(type, text))
}

/** PostgreSQL stores ids as `uuid`, the other encoded columns as `bytea`. */
export const postgresEncoding: ColumnEncoding = {
  encode,
  encodeList: (type, texts) => texts.map((text) => encode(type, text, 'compare')),
  createDecoder(type) {
    if (type === 'word') return (value) => decodeWord(value as string)
    return type === 'id' ? (value) => fromStoredId(value as string) : createBytesDecoder(type)
  },
  // PostgreSQL rejects a number out of range even if it is only compared.
  encodeInt32: (value) => Math.max(-MAX_INT32, Math.min(value, MAX_INT32)),
  toListSql: (sql) => sql,
  toIdSql: ['case when octet_length(', ') = 16 then encode(', ", 'hex')::uuid end"],
}
