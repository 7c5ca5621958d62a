import { hash, id, idOrText, int32, integer, nullable, type Row, text } from './column.ts'

/** One entry of a workspace's audit log, which is a hash chain. Append-only. */
export const auditColumns = {
  /** `instance` for entries that belong to no workspace. */
  workspace_id: id(),
  sequence: int32(),
  id: id(),
  at: integer(),
  actor_kind: text<'api_key' | 'account' | 'system'>(),
  actor_id: idOrText(),
  actor_name: text(),
  action: text(),
  target_kind: text(),
  target_id: idOrText(),
  /**
   * JSON of the changed fields before and after, and a salt; null after a redaction. The chain covers `changes_hash`, so it
   * stays valid.
   */
  changes: nullable(text()),
  changes_hash: hash(),
  address: text(),
  request_id: idOrText(),
  previous_hash: hash(),
  hash: hash(),
}
export type AuditTable = Row<typeof auditColumns>
