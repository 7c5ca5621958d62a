import { id, idOrText, integer, nullable, type Row, text } from './column.ts'

/** What somebody told the operators about a workspace. It outlives the workspace. */
export const workspaceReportColumns = {
  id: id(),
  reported_workspace_id: id(),
  /** The name of the workspace when it was reported. */
  group_name: text(),
  reporter_id: id(),
  message: text(),
  created_at: integer(),
  /** When an operator marked it as resolved; null while it is open. */
  resolved_at: nullable(integer()),
  resolved_by: nullable(idOrText()),
}
export type WorkspaceReportTable = Row<typeof workspaceReportColumns>
