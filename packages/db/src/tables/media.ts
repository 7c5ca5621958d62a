import { blob, integer, nullable, type Row, text } from './column.ts'

/** An image, stored once per content. It belongs to no workspace: anyone who knows its URL may see it. */
export const mediaColumns = {
  /** SHA-256 in hex. */
  hash: text(),
  extension: text(),
  content_type: text(),
  /** Null where an external image store has them. */
  bytes: nullable(blob()),
  created_at: integer(),
}
export type MediaTable = Row<typeof mediaColumns>
