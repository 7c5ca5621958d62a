import { integer, type Row, text } from './column.ts'

/** An account in a workspace. */
export const memberColumns = {
  workspace_id: text(),
  account_id: text(),
  joined_at: integer(),
}
export type MemberTable = Row<typeof memberColumns>

export const memberRoleColumns = {
  workspace_id: text(),
  account_id: text(),
  role_id: text(),
}
export type MemberRoleTable = Row<typeof memberRoleColumns>
