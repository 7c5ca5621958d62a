import { id, integer, nullable, type Row, text } from './column.ts'

export const departmentColumns = {
  workspace_id: id(),
  id: id(),
  name: text(),
  /** The normalized name: unique among the workspace's departments that are not deleted. */
  name_key: text(),
  color: nullable(text()),
  description: nullable(text()),
  created_at: integer(),
  updated_at: integer(),
  /** Its position in the list; departments with the same position are sorted by name. */
  position: integer(),
  deleted_at: nullable(integer()),
  version: integer(),
}
export type DepartmentTable = Row<typeof departmentColumns>
