import { id, integer, nullable, type Row, text } from './column.ts'

/** A workspace that was deleted for good, or is being deleted. It belongs to the instance. */
export const deletedWorkspaceColumns = {
  id: id(),
  deleted_workspace_id: id(),
  group_name: text(),
  owner_id: id(),
  /** When its content began to be deleted. */
  deleted_at: integer(),
  /** When nothing of it was left; null while it is being deleted. */
  finished_at: nullable(integer()),
}
export type DeletedWorkspaceTable = Row<typeof deletedWorkspaceColumns>
