import { id, int32, integer, nullable, type Row } from './column.ts'

/** An account that was a member of a workspace. If it is deleted, its name can be blanked in the history of the workspace. */
export const formerMemberColumns = {
  workspace_id: id(),
  account_id: id(),
  left_at: integer(),
  /** The sequence of the last request to blank its name; null for none. */
  blank_sequence: nullable(int32()),
  /** When that was done; null while it is not. */
  blanked_at: nullable(integer()),
}
export type FormerMemberTable = Row<typeof formerMemberColumns>
