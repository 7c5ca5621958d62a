import { id, integer, type Row } from './column.ts'

/** An account in a workspace. */
export const memberColumns = {
  workspace_id: id(),
  account_id: id(),
  joined_at: integer(),
}
export type MemberTable = Row<typeof memberColumns>

export const memberRoleColumns = {
  workspace_id: id(),
  account_id: id(),
  role_id: id(),
  assigned_at: integer(),
}
export type MemberRoleTable = Row<typeof memberRoleColumns>
