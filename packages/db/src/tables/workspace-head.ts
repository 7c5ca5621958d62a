import { hash, id, int32, type Row } from './column.ts'

/** The counters of one workspace, incremented in the transaction of the change. */
export const workspaceHeadColumns = {
  workspace_id: id(),
  /** The last case number assigned. */
  case_number: int32(),
  /** The sequence of the last audit entry. Every change appends one, so this is also the workspace's change counter. */
  audit_sequence: int32(),
  audit_hash: hash(),
}
export type WorkspaceHeadTable = Row<typeof workspaceHeadColumns>
