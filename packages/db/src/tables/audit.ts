import { integer, nullable, type Row, text } from './column.ts'

/** One row of a workspace's audit chain. Rows are only ever added. */
export const auditColumns = {
  /** `instance` for what belongs to no workspace. */
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
  /** JSON `{before, after, salt}`; null once its texts were redacted. The chain goes over its hash. */
  changes: nullable(text()),
  changes_hash: text(),
  address: text(),
  request_id: text(),
  previous_hash: text(),
  hash: text(),
}
export type AuditTable = Row<typeof auditColumns>
