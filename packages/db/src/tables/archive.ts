import { blob, integer, type Row, text } from './column.ts'

/** A snapshot of a workspace's content; its bytes are in `archive_part`. */
export const archiveColumns = {
  workspace_id: text(),
  id: text(),
  group_name: text(),
  created_at: integer(),
  created_by: text(),
  size_bytes: integer(),
  /** SHA-256 in hex of all parts, concatenated in order. */
  sha256: text(),
  /** JSON: the number of rows of each kind. */
  counts: text(),
}
export type ArchiveTable = Row<typeof archiveColumns>

export const archivePartColumns = {
  workspace_id: text(),
  archive_id: text(),
  part: integer(),
  bytes: blob(),
}
export type ArchivePartTable = Row<typeof archivePartColumns>

/** An image in an external image store that an archive refers to. The archive itself contains all other images. */
export const archiveImageColumns = {
  workspace_id: text(),
  archive_id: text(),
  hash: text(),
}
export type ArchiveImageTable = Row<typeof archiveImageColumns>
