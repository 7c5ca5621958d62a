import {
  type ColumnEncoding,
  type EncodedType,
  fromBytes,
  fromStoredId,
  toBytes,
  toStoredId,
  type ValueUsage,
} from '../column-encoding.ts'

const encode = (type: EncodedType, text: string, usage: ValueUsage): string | Buffer =>
  type === 'id' ? toStoredId(text, usage) : Buffer.from(toBytes(type, text))

/** PostgreSQL stores ids as `uuid`, the other encoded columns as `bytea`. */
export const postgresEncoding: ColumnEncoding = {
  encode,
  encodeList: (type, texts) => texts.map((text) => encode(type, text, 'compare')),
  decode: (type, value) =>
    type === 'id' ? fromStoredId(value as string) : fromBytes(type, value as Uint8Array),
  toListSql: (sql) => sql,
  toIdSql: ['case when octet_length(', ') = 16 then encode(', ", 'hex')::uuid end"],
}
