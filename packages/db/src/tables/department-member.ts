import { id, integer, type Row } from './column.ts'

/** A member of the workspace in one of its departments. */
export const departmentMemberColumns = {
  workspace_id: id(),
  department_id: id(),
  account_id: id(),
  /** 1 for the department's lead; at most one member. */
  is_lead: integer(),
}
export type DepartmentMemberTable = Row<typeof departmentMemberColumns>
