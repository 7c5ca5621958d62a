/** A member of the workspace in one of its departments. */
export interface DepartmentMemberTable {
  workspace_id: string
  department_id: string
  account_id: string
  /** 1 for the one who leads it, if anyone does. */
  is_lead: number
}
