/** The counters of one workspace, moved in the transaction of the change that moves them. */
export interface WorkspaceHeadTable {
  workspace_id: string
  /** The last case number given out. */
  case_number: number
  /** The last row of the audit chain: every change adds one, so it is the workspace's change counter too. */
  audit_sequence: number
  audit_hash: string
}
