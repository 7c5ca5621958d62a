import { blob, integer, nullable, type Row, text } from './column.ts'

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
  /** When it was complete; null while a job writes it: until then checksum and counts are not known. */
  ready_at: nullable(integer()),
  /** When it was deleted. Its bytes are deleted in slices after that. */
  deleted_at: nullable(integer()),
}
export type ArchiveTable = Row<typeof archiveColumns>

export const archivePartColumns = {
  workspace_id: text(),
  archive_id: text(),
  part: integer(),
  bytes: blob(),
}
export type ArchivePartTable = Row<typeof archivePartColumns>
