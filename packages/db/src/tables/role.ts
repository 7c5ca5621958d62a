export interface RoleTable {
  workspace_id: string
  id: string
  name: string
  /** The name folded for comparison: unique in a workspace. */
  name_key: string
  color: string | null
  /** Higher outranks lower. */
  rank: number
  /** JSON array of permission names. */
  permissions: string
  /** 1 for the owner role, which holds every permission and cannot be edited. */
  is_owner: number
  created_at: number
  updated_at: number
  version: number
}
