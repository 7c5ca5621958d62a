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
  /** The size of an image in an external image store; null if `bytes` has it, or from before sizes were stored. */
  size_bytes: nullable(integer()),
}
export type MediaTable = Row<typeof mediaColumns>

/** An image that nothing refers to. It is deleted if that is still so after a grace period. */
export const unusedImageColumns = {
  hash: text(),
  found_at: integer(),
}
export type UnusedImageTable = Row<typeof unusedImageColumns>
