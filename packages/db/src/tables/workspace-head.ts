import { integer, type Row, text } from './column.ts'

/** The counters of one workspace, moved in the transaction of the change that moves them. */
export const workspaceHeadColumns = {
  workspace_id: text(),
  /** The last case number given out. */
  case_number: integer(),
  /** The last row of the audit chain: every change adds one, so it is the workspace's change counter too. */
  audit_sequence: integer(),
  audit_hash: text(),
}
export type WorkspaceHeadTable = Row<typeof workspaceHeadColumns>
