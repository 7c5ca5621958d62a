import { compactJson, hash, id, idOrText, int32, integer, nullable, type Row, text, word } from './column.ts'

/** One entry of a workspace's audit log, which is a hash chain. Append-only. */
export const auditColumns = {
  /** `instance` for entries that belong to no workspace. */
  workspace_id: id(),
  sequence: int32(),
  id: id(),
  at: integer(),
  actor_kind: word<'api_key' | 'account' | 'system'>(),
  actor_id: idOrText(),
  /** Empty once it was blanked. */
  actor_name: text(),
  /** A keyed hash of the name that was blanked; null until then, because it is computed from it. */
  actor_name_hash: nullable(hash()),
  action: word(),
  target_kind: word(),
  target_id: idOrText(),
  /** JSON of the changed fields before and after, and a salt; null after a redaction. */
  changes: nullable(compactJson()),
  /** SHA-256 of the changes before they were redacted, or before names in them were blanked; null until then, because it is computed from them. */
  changes_hash: nullable(hash()),
  /** A keyed hash over `changes_hash` and the changes in which names were blanked. */
  blanked_changes_hash: nullable(hash()),
  address: text(),
  request_id: idOrText(),
  /** HMAC-SHA-256 over the row and the seal of the head before it. */
  hash: hash(),
}
export type AuditTable = Row<typeof auditColumns>
