import { integer, nullable, type Row, text } from './column.ts'

/** One entry of a workspace's audit log, which is a hash chain. Append-only. */
export const auditColumns = {
  /** `instance` for entries that belong to no workspace. */
  workspace_id: text(),
  sequence: integer(),
  id: text(),
  at: integer(),
  actor_kind: text<'api_key' | 'account' | 'system'>(),
  actor_id: text(),
  actor_name: text(),
  action: text(),
  target_kind: text(),
  target_id: text(),
  /**
   * JSON of the changed fields before and after, and a salt; null after a redaction. The chain covers `changes_hash`, so it
   * stays valid.
   */
  changes: nullable(text()),
  changes_hash: text(),
  address: text(),
  request_id: text(),
  previous_hash: text(),
  hash: text(),
}
export type AuditTable = Row<typeof auditColumns>
