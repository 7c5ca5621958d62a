import { id, idOrText, integer, type Row } from './column.ts'

/** The member who is to work on a record. It counts for nothing while the account is not a member. */
export const assignmentColumns = {
  workspace_id: id(),
  record_id: id(),
  account_id: id(),
  assigned_by: idOrText(),
  assigned_at: integer(),
}
export type AssignmentTable = Row<typeof assignmentColumns>
