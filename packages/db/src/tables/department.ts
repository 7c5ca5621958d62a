export interface DepartmentTable {
  workspace_id: string
  id: string
  name: string
  /** The name folded for comparison: unique among the live ones of a workspace. */
  name_key: string
  color: string | null
  description: string | null
  created_at: number
  updated_at: number
  /** Its place in the order that people gave the departments; equal ones go by name. */
  position: number
  deleted_at: number | null
  version: number
}
