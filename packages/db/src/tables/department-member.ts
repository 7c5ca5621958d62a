import { integer, type Row, text } from './column.ts'

/** A member of the workspace in one of its departments. */
export const departmentMemberColumns = {
  workspace_id: text(),
  department_id: text(),
  account_id: text(),
  /** 1 for the one who leads it, if anyone does. */
  is_lead: integer(),
}
export type DepartmentMemberTable = Row<typeof departmentMemberColumns>
