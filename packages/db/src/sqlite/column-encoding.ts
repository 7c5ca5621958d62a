import {
  bytesToUuid,
  type ColumnEncoding,
  fromBytes,
  fromStoredId,
  type TextEncodedType,
  toBytes,
  toStoredId,
  uuidToBytes,
  type ValueUsage,
} from '../column-encoding.ts'

const encode = (type: TextEncodedType, text: string, usage: ValueUsage): Uint8Array =>
  type === 'id' ? uuidToBytes(toStoredId(text, usage)) : toBytes(type, text)

/** SQLite stores every encoded column as a blob. */
export const sqliteEncoding: ColumnEncoding = {
  encode,
  // JSON has no bytes.
  encodeList: (type, texts) => JSON.stringify(texts.map((text) => encode(type, text, 'compare').toHex())),
  decode: (type, value) =>
    type === 'id' ? fromStoredId(bytesToUuid(value as Uint8Array)) : fromBytes(type, value as Uint8Array),
  encodeInt32: (value) => value,
  toListSql: (sql) => sql.replace('select value from', 'select unhex(value) from'),
  toIdSql: null,
}
