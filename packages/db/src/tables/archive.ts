import { blob, id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** A snapshot of a workspace's content; its bytes are in `archive_part`. */
export const archiveColumns = {
  workspace_id: id(),
  id: id(),
  group_name: text(),
  created_at: integer(),
  created_by: idOrText(),
  size_bytes: integer(),
  /** SHA-256 in hex of all slices, concatenated in order. */
  sha256: text(),
  /** JSON: the number of rows of each kind. */
  counts: text(),
  /** When it was complete; null while a job writes it: until then checksum and counts are not known. */
  ready_at: nullable(integer()),
  /** When it was deleted. Its bytes are deleted in small transactions after that. */
  deleted_at: nullable(integer()),
}
export type ArchiveTable = Row<typeof archiveColumns>

/** Slices of archives: the bytes of an archive are those of its slices, concatenated in order. */
export const archivePartColumns = {
  workspace_id: id(),
  archive_id: id(),
  /** The number of the slice in its archive, from 0. */
  part: integer(),
  bytes: blob(),
}
export type ArchivePartTable = Row<typeof archivePartColumns>

/** An image in an external image store that an archive refers to. The archive itself contains all other images. */
export const archiveImageColumns = {
  workspace_id: id(),
  archive_id: id(),
  hash: text(),
}
export type ArchiveImageTable = Row<typeof archiveImageColumns>
