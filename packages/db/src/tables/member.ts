/** An account in a workspace. */
export interface MemberTable {
  workspace_id: string
  account_id: string
  joined_at: number
}

export interface MemberRoleTable {
  workspace_id: string
  account_id: string
  role_id: string
}
