import { blob, hash, id, int32, integer, nullable, type Row, text } from './column.ts'

/**
 * The content of an evidence file. Its name and type are in the record that has it: content that no record lists is an upload in
 * progress, or is deleted after a day.
 */
export const evidenceFileColumns = {
  workspace_id: id(),
  id: id(),
  /** Null until the record that is created with it exists. */
  record_id: nullable(id()),
  /** JSON of the name and the type, and who uploaded it: of a file without a record. */
  pending: nullable(text()),
  size_bytes: integer(),
  sha256: hash(),
  /** 1 if a bucket has the bytes, and not `evidence_part`. */
  is_external: int32(),
  created_at: integer(),
  /** When it was removed. Its bytes are deleted in slices after that. */
  deleted_at: nullable(integer()),
}
export type EvidenceFileTable = Row<typeof evidenceFileColumns>

/** A part of the bytes of a file. */
export const evidencePartColumns = {
  workspace_id: id(),
  file_id: id(),
  part: int32(),
  bytes: blob(),
}
export type EvidencePartTable = Row<typeof evidencePartColumns>

/** A file in the bucket. It belongs to the instance, because copies of a workspace share it, and it remains when a workspace is deleted. */
export const evidenceObjectColumns = {
  id: id(),
  created_at: integer(),
}
export type EvidenceObjectTable = Row<typeof evidenceObjectColumns>

/** A file in the bucket that an archive refers to. The archive itself contains all other files. */
export const archiveEvidenceColumns = {
  workspace_id: id(),
  archive_id: id(),
  file_id: id(),
}
export type ArchiveEvidenceTable = Row<typeof archiveEvidenceColumns>
