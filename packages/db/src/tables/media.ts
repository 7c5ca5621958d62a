import { blob, integer, nullable, type Row, text } from './column.ts'

/** An image, stored once by what it holds. Belongs to no workspace: whoever holds its address may see it. */
export const mediaColumns = {
  /** SHA-256 in hex. */
  hash: text(),
  extension: text(),
  content_type: text(),
  /** Null where they lie in a store of images. */
  bytes: nullable(blob()),
  created_at: integer(),
}
export type MediaTable = Row<typeof mediaColumns>
