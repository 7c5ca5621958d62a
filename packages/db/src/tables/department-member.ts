import { integer, type Row, text } from './column.ts'

/** A member of the workspace in one of its departments. */
export const departmentMemberColumns = {
  workspace_id: text(),
  department_id: text(),
  account_id: text(),
  /** 1 for the department's lead; at most one member. */
  is_lead: integer(),
}
export type DepartmentMemberTable = Row<typeof departmentMemberColumns>
