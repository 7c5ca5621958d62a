import { hash, id, int32, integer, type Row } from './column.ts'

/** The counters of one workspace, incremented in the transaction of the change. */
export const workspaceHeadColumns = {
  workspace_id: id(),
  /** The last case number assigned. */
  case_number: int32(),
  /** The sequence of the last audit entry. Every change appends one, so this is also the workspace's change counter. */
  audit_sequence: int32(),
  /** Increased when a roll-back replaces records, so that earlier sequences no longer tell what has changed since. */
  history: int32(),
  /** The sequence of the last change that the feed does not describe record by record, such as an import: followers before it read a snapshot. */
  feed_from: int32(),
  /** The seal of the chain: HMAC-SHA-256 over the sequence and the hash of its last row. */
  audit_hash: hash(),
  /** The stored bytes of the workspace by kind. A job corrects what they have drifted. */
  record_bytes: integer(),
  image_bytes: integer(),
  evidence_bytes: integer(),
  archive_bytes: integer(),
  response_bytes: integer(),
  /** When the job last counted them; 0 for never, and to count them again soon. */
  storage_counted_at: integer(),
}
export type WorkspaceHeadTable = Row<typeof workspaceHeadColumns>
