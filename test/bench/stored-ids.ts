/** The bytes of an id as SQLite stores it. */
export const idToBytes = (id: string): Uint8Array => Uint8Array.fromHex(id.replaceAll('-', ''))

/** The id or text in a column, which PostgreSQL returns as text if there are ids only. */
export function formatId(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  const hex = value.toHex()
  return value.length === 16
    ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    : Buffer.from(value.buffer, value.byteOffset + 1, value.length - 1).toString()
}
