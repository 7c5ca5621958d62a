import { id, integer, type Row, text } from './column.ts'

/** A player who is a member of the workspace. Sanctions on them need a higher rank than that of the member. */
export const memberPlayerColumns = {
  workspace_id: id(),
  user_id: text(),
  account_id: id(),
  linked_at: integer(),
}
export type MemberPlayerTable = Row<typeof memberPlayerColumns>
